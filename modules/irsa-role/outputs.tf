output "role_arn" {
  description = "ARN of the role; waits until it has its policies."
  value       = aws_iam_role.this.arn
  depends_on = [
    aws_iam_role_policy.this,
    aws_iam_role_policy_attachment.this,
  ]
}
