output "name" {
  description = "Name of the add-on; waits until it is active."
  value       = aws_eks_addon.this.addon_name
}
