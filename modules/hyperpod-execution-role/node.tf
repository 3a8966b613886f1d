data "aws_iam_policy_document" "node" {
  statement {
    sid       = "LogInToRegistries"
    actions   = ["ecr:GetAuthorizationToken"]
    resources = ["*"] # this action knows no resources
  }

  # Any account of this region: add-on images lie in registries of AWS, the serving image in the team's own, which may be another account's.
  statement {
    sid = "PullImages"
    actions = [
      "ecr:BatchCheckLayerAvailability",
      "ecr:BatchGetImage",
      "ecr:GetDownloadUrlForLayer",
    ]
    resources = ["arn:${local.partition}:ecr:${var.region}:*:repository/*"]
  }

  statement {
    sid       = "GetCredentialsForPods"
    actions   = ["eks-auth:AssumeRoleForPodIdentity"]
    resources = [var.eks_cluster_arn]
  }

  statement {
    sid       = "ListLifecycleScripts"
    actions   = ["s3:ListBucket"]
    resources = ["arn:${local.partition}:s3:::${var.lifecycle_bucket}"]
  }

  statement {
    sid       = "ReadLifecycleScripts"
    actions   = ["s3:GetObject"]
    resources = ["arn:${local.partition}:s3:::${var.lifecycle_bucket}/*"]
  }

  statement {
    sid       = "DecryptLifecycleScripts"
    actions   = ["kms:Decrypt"]
    resources = [var.kms_key_arn]

    condition {
      test     = "StringEquals"
      variable = "kms:ViaService"
      values   = ["s3.${var.region}.amazonaws.com"]
    }
  }
}
