removed {
  from = aws_fsx_data_repository_association.cache
  lifecycle {
    destroy = false
  }
}
