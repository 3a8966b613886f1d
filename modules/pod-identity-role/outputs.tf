output "role_arn" {
  description = "ARN of the role; waits until it has its policies and its service account."
  value       = aws_iam_role.this.arn
  depends_on = [
    aws_eks_pod_identity_association.this,
    aws_iam_role_policy.this,
    aws_iam_role_policy_attachment.this,
  ]
}
