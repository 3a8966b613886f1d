resource "terraform_data" "later" {}

data "aws_iam_policy_document" "this" {
  depends_on = [terraform_data.later]
  statement {
    actions   = ["iam:PassRole"]
    resources = [terraform_data.later.id]
    condition {
      test     = "StringEquals"
      variable = "iam:PassedToService"
      values   = ["sagemaker.amazonaws.com"]
    }
  }
}
