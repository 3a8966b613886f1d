output "state_bucket" {
  description = "Name of the state bucket; waits until it is closed and encrypted."
  value       = module.state_bucket.name
}

output "state_kms_key_arn" {
  description = "ARN of the key of the state: state.kms_key_arn of env.yaml."
  value       = aws_kms_key.state.arn
}

output "weights_bucket" {
  description = "Name of the weights bucket; waits until it is closed and encrypted."
  value       = module.weights_bucket.name
}

output "artifacts_kms_key_arn" {
  description = "ARN of the key of weights and images."
  value       = aws_kms_key.artifacts.arn
}

output "approvals_kms_key_arn" {
  description = "ARN of the key that signs approvals."
  value       = aws_kms_key.approvals.arn
}

output "approve_policy_arn" {
  description = "ARN of the IAM policy for people who approve: attach it to their role."
  value       = aws_iam_policy.approve.arn
}

output "image_repository_url" {
  description = "Where the mirrored image is pushed to; null when the registry is another one."
  value       = one([for repository in aws_ecr_repository.image : repository.repository_url])
}

output "plan_role_arn" {
  description = "ARN of CI's role for plans; null without ci."
  value       = one([for role in aws_iam_role.plan : role.arn])
}

output "apply_role_arn" {
  description = "ARN of CI's role for applies; null without ci. Waits until it has its rights."
  value       = one([for role in aws_iam_role.apply : role.arn])
  depends_on  = [aws_iam_role_policy_attachment.apply, aws_iam_role_policy_attachment.apply_describe]
}
