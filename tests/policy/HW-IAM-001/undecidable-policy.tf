resource "terraform_data" "later" {}

resource "aws_iam_policy" "this" {
  name   = "this"
  policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "s3:GetObject", Resource = terraform_data.later.id }] })
}
