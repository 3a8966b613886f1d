resource "aws_iam_user" "later" {
  name = "later"
}
resource "aws_iam_instance_profile" "this" {
  name = "node"
  role = aws_iam_user.later.unique_id
}
