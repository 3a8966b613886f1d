resource "terraform_data" "later" {}

data "aws_iam_policy_document" "this" {
  depends_on = [terraform_data.later]
  statement {
    actions   = ["kms:*"]
    resources = ["*"]
  }
}

resource "aws_iam_policy" "this" {
  name   = "this"
  policy = data.aws_iam_policy_document.this.json
}
