output "node_group_name" {
  description = "Name of the node group; waits until the group exists, and its schedules where it has some."
  value       = var.node_group_name
  depends_on  = [aws_eks_node_group.scheduled, aws_eks_node_group.steady, aws_scheduler_schedule.this]
}
