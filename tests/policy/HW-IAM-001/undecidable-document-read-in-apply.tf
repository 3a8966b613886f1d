resource "terraform_data" "later" {}

data "aws_iam_policy_document" "this" {
  depends_on = [terraform_data.later]
  statement {
    actions   = ["s3:GetObject"]
    resources = [terraform_data.later.id]
  }
}

resource "aws_iam_policy" "this" {
  name   = "this"
  policy = data.aws_iam_policy_document.this.json
}
