resource "aws_iam_role" "node" {
  name                 = "node"
  permissions_boundary = "arn:aws:iam::aws:policy/AdministratorAccess"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }]
  })
}
