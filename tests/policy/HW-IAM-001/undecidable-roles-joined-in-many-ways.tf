resource "aws_s3_bucket" "weights" {
  bucket_prefix = "weights-"
}

data "aws_iam_policy_document" "read" {
  statement {
    actions   = ["s3:GetObject", "s3:GetObjectTagging"]
    resources = ["${aws_s3_bucket.weights.arn}/*"]
  }
}

resource "aws_iam_role" "serving" {
  name                 = "serving"
  permissions_boundary = "arn:aws:iam::111122223333:policy/boundary"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = ["sts:AssumeRole", "sts:TagSession"], Principal = { Service = "pods.eks.amazonaws.com" } },
      { Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "arn:aws:iam::444455556666:root" },
      Condition = { StringEquals = { "sts:ExternalId" = "hawser" } } },
    ]
  })
}

resource "aws_iam_role_policy" "read" {
  name   = "read"
  role   = aws_iam_role.serving.id
  policy = data.aws_iam_policy_document.read.json
}

resource "aws_iam_policy" "logs" {
  name = "logs"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = "logs:PutLogEvents", Resource = "arn:aws:logs:us-west-2:111122223333:log-group:/serving:*" },
      { Effect = "Deny", Action = "s3:DeleteObject", Resource = "*" },
    ]
  })
}

resource "aws_iam_role_policy_attachment" "logs" {
  role       = aws_iam_role.serving.name
  policy_arn = aws_iam_policy.logs.arn
}

resource "aws_eks_pod_identity_association" "serving" {
  cluster_name    = "hawser-prod"
  namespace       = "serving"
  service_account = "model"
  role_arn        = aws_iam_role.serving.arn
}

resource "aws_iam_role" "pool" {
  for_each = toset(["a", "b"])
  name     = "pool-${each.key}"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }]
  })
}

resource "aws_iam_role_policy" "pool" {
  for_each = aws_iam_role.pool
  name     = "describe"
  role     = each.value.id
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "ec2:Describe*", Resource = "*", Sid = each.key }]
  })
}

resource "aws_iam_role_policy" "elsewhere" {
  name = "describe"
  role = "made-elsewhere"
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "ec2:DescribeTags", Resource = "*" }]
  })
}
