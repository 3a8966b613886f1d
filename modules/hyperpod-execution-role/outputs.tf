output "role_arn" {
  description = "ARN of the role, built from its name and so known in the first plan; waits until the role has its policies."
  value       = "arn:${local.partition}:iam::${var.account_id}:role/${var.name}"
  depends_on  = [aws_iam_role.this, aws_iam_role_policy.this, aws_iam_role_policy_attachment.managed]
}
