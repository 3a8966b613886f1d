# Only checkov knows this one: a user with a policy of its own, where roles are meant.
resource "aws_iam_user" "ci" {
  name = "ci"
}

resource "aws_iam_access_key" "ci" {
  user = aws_iam_user.ci.name
}
