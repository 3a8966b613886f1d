output "role_arn" {
  description = "ARN of the role, built from its name and so known in the first plan; waits until the role has its policies."
  value       = "${split("oidc-provider/", var.oidc_provider_arn)[0]}role/${var.name}"
  depends_on = [
    aws_iam_role.this,
    aws_iam_role_policy.this,
    aws_iam_role_policy_attachment.this,
  ]
}
