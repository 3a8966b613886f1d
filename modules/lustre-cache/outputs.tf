output "file_system_id" {
  description = "Id of the file system; waits until the bucket's files are listed in it."
  value       = aws_fsx_lustre_file_system.this.id
  depends_on  = [aws_fsx_data_repository_association.weights]
}

output "dns_name" {
  description = "DNS name of the file system, for the volume that mounts it."
  value       = aws_fsx_lustre_file_system.this.dns_name
  depends_on  = [aws_fsx_data_repository_association.weights]
}

output "mount_name" {
  description = "Mount name of the file system: nodes mount <dns_name>@tcp:/<mount_name>."
  value       = aws_fsx_lustre_file_system.this.mount_name
  depends_on  = [aws_fsx_data_repository_association.weights]
}
