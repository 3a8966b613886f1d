resource "terraform_data" "later" {}
resource "aws_iam_role_policy_attachment" "node" {
  role       = "node"
  policy_arn = "arn:aws:iam::aws:policy/${terraform_data.later.id}"
}
