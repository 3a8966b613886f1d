# The document is read during the apply, because something that it waits for changes; its statements are known.
resource "aws_kms_alias" "data" {
  name          = "alias/data"
  target_key_id = "1234abcd-12ab-34cd-56ef-1234567890ab"
}

data "aws_iam_policy_document" "serve" {
  statement {
    actions   = ["s3:GetObject"]
    resources = ["arn:aws:s3:::weights/*"]
  }
  depends_on = [aws_kms_alias.data]
}

output "policy" {
  value = data.aws_iam_policy_document.serve.json
}
