removed {
  from = aws_fsx_lustre_file_system.cache
  lifecycle {
    destroy = false
  }
}
