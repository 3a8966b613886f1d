# The policy is made of an ARN that is known only after apply: nobody can say what it allows.
resource "aws_s3_bucket" "weights" {
  bucket_prefix = "weights-"
}

resource "aws_iam_policy" "serve" {
  name = "serve"
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = ["s3:*"], Resource = aws_s3_bucket.weights.arn }]
  })
}
