resource "aws_iam_role_policy" "ci" {
  name = "ci"
  role = "ci"
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = ["ec2:TerminateInstances"], Resource = "arn:aws:ec2:us-west-2:111122223333:instance/*" }]
  })
}
