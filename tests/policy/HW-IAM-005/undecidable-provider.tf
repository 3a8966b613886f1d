resource "terraform_data" "later" {}

data "aws_iam_policy_document" "this" {
  depends_on = [terraform_data.later]
  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]
    principals {
      type        = "Federated"
      identifiers = [terraform_data.later.id]
    }
  }
}
