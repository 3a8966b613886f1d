resource "aws_iam_policy" "this" {
  name = "this"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = ["ec2:Describe*"], Resource = "*" },
      { Effect = "Deny", Action = "*", Resource = "*" },
      { Effect = "Allow", Action = "s3:*", Resource = "arn:aws:s3:::weights/*" }
    ]
  })
}
resource "aws_iam_role" "this" {
  name = "this"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }]
  })
}
