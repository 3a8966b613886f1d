locals {
  on_create = "${path.module}/lifecycle/on_create.sh"

  # The key holds the hash of the script, so that a change of the script is a change of SourceS3Uri, and no node can find a
  # script that nobody has reviewed under a known name.
  lifecycle_prefix = "lifecycle/${substr(filesha256(local.on_create), 0, 16)}"
}

resource "aws_s3_object" "on_create" {
  bucket       = var.lifecycle_bucket
  key          = "${local.lifecycle_prefix}/on_create.sh"
  source       = local.on_create
  source_hash  = filesha256(local.on_create)
  kms_key_id   = var.kms_key_arn
  content_type = "text/x-shellscript"

  # Nodes that are replaced while the cluster is updated still read the old key.
  lifecycle {
    create_before_destroy = true
  }
}
