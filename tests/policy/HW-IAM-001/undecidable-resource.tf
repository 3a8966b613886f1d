resource "terraform_data" "later" {}

data "aws_iam_policy_document" "this" {
  depends_on = [terraform_data.later]
  statement {
    actions   = ["s3:*"]
    resources = [terraform_data.later.id]
  }
}
