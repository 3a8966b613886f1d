resource "aws_iam_role_policy_attachments_exclusive" "this" {
  role_name   = "node"
  policy_arns = ["arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy", "arn:aws:iam::aws:policy/AdministratorAccess"]
}

resource "aws_iam_user_policy_attachments_exclusive" "this" {
  user_name   = "ci"
  policy_arns = ["arn:aws:iam::aws:policy/IAMFullAccess"]
}

resource "aws_iam_group_policy_attachments_exclusive" "this" {
  group_name  = "all"
  policy_arns = ["arn:aws:iam::aws:policy/PowerUserAccess"]
}
