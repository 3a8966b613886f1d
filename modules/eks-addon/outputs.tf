output "name" {
  description = "Name of the add-on; waits until it is active."
  value       = aws_eks_addon.this.addon_name
}

output "configuration_json" {
  description = "Settings of the add-on, as they are in the plan."
  value       = aws_eks_addon.this.configuration_values
}
