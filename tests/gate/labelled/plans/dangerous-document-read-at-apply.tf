# The document is read during the apply, so the policy is unknown; what it will say is known all the same.
resource "aws_kms_alias" "data" {
  name          = "alias/data"
  target_key_id = "1234abcd-12ab-34cd-56ef-1234567890ab"
}

data "aws_iam_policy_document" "serve" {
  statement {
    actions   = ["*"]
    resources = ["*"]
  }
  depends_on = [aws_kms_alias.data]
}

resource "aws_iam_role_policy" "serve" {
  name   = "serve"
  role   = "serve"
  policy = data.aws_iam_policy_document.serve.json
}
