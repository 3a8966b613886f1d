output "role_arn" {
  description = "ARN of the role; waits until it has its policy and its service account."
  value       = module.role.role_arn
}
