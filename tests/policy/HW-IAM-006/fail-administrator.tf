resource "aws_iam_role_policy_attachment" "node" {
  role       = "node"
  policy_arn = "arn:aws:iam::aws:policy/AdministratorAccess"
}
