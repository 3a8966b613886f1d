resource "aws_fsx_lustre_file_system" "this" {
  storage_capacity            = var.size_gib
  subnet_ids                  = [var.subnet_id]
  security_group_ids          = [aws_security_group.this.id]
  deployment_type             = "PERSISTENT_2"
  storage_type                = "SSD"
  per_unit_storage_throughput = var.throughput_mb_per_tib
  file_system_type_version    = "2.15"
  kms_key_id                  = var.kms_key_arn
  # Weights are dense numbers: compressing them costs time and wins nothing.
  data_compression_type = "NONE"
  # A cache is filled again from its bucket.
  automatic_backup_retention_days = 0
  copy_tags_to_backups            = false

  log_configuration {
    level       = "WARN_ERROR"
    destination = local.log_group_arn
  }

  tags = {
    Name = var.name
  }

  timeouts {
    create = "2h"
    update = "2h"
    delete = "2h"
  }

  depends_on = [
    aws_cloudwatch_log_group.this,
    aws_vpc_security_group_egress_rule.lustre,
    aws_vpc_security_group_ingress_rule.lustre,
  ]
}

# One way only: files of the bucket appear in the file system, and nothing goes back. What changes or vanishes in the bucket follows.
resource "aws_fsx_data_repository_association" "weights" {
  file_system_id                   = aws_fsx_lustre_file_system.this.id
  file_system_path                 = "/"
  data_repository_path             = var.weights_uri
  batch_import_meta_data_on_create = true

  s3 {
    auto_import_policy {
      events = ["NEW", "CHANGED", "DELETED"]
    }
  }

  tags = {
    Name = var.name
  }

  timeouts {
    create = "2h"
    update = "2h"
    delete = "2h"
  }
}
