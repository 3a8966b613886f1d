data "aws_partition" "current" {}

locals {
  # Buckets of others that nodes read, per region: image layers of ECR, packages of Amazon Linux 2023, SSM agent, SageMaker models,
  # image layers of registry.k8s.io (which sends callers in AWS to a bucket of their region, also when they come through NAT).
  # https://docs.aws.amazon.com/AmazonECR/latest/userguide/vpc-endpoints.html
  # https://docs.aws.amazon.com/systems-manager/latest/userguide/ssm-agent-technical-details.html
  # https://github.com/kubernetes/registry.k8s.io
  foreign_buckets = [
    "prod-${var.region}-starport-layer-bucket",
    "al2023-repos-${var.region}-de612dc2",
    "amazon-ssm-${var.region}",
    "amazon-ssm-packages-${var.region}",
    "aws-ssm-${var.region}",
    "jumpstart-cache-prod-${var.region}",
    "jumpstart-private-cache-prod-${var.region}",
    "prod-registry-k8s-io-${var.region}",
  ]
}

data "aws_iam_policy_document" "s3" {
  statement {
    sid = "ObjectsOfThisAccount"
    actions = [
      "s3:AbortMultipartUpload",
      "s3:DeleteObject*",
      "s3:Get*",
      "s3:List*",
      "s3:PutObject*",
    ]
    resources = ["*"]

    principals {
      type        = "*"
      identifiers = ["*"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:ResourceAccount"
      values   = [var.account_id]
    }
  }

  statement {
    sid       = "ReadKnownBuckets"
    actions   = ["s3:GetObject"]
    resources = [for bucket in local.foreign_buckets : "arn:${data.aws_partition.current.partition}:s3:::${bucket}/*"]

    principals {
      type        = "*"
      identifiers = ["*"]
    }
  }
}

resource "aws_vpc_endpoint" "s3" {
  vpc_id            = var.vpc_id
  service_name      = "com.amazonaws.${var.region}.s3"
  vpc_endpoint_type = "Gateway"
  route_table_ids   = var.route_table_ids
  policy            = data.aws_iam_policy_document.s3.json

  tags = {
    Name = "${var.name}-s3"
  }
}
