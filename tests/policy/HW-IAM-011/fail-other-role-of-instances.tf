resource "aws_iam_instance_profile" "this" {
  name = "node"
  role = "administrator"
}
