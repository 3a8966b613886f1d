resource "aws_iam_role" "one" {
  name               = "one"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "arn:aws:iam::111122223333:role/ci" } }] })
}
resource "aws_iam_role" "other" {
  name               = "other"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { AWS = "arn:aws:iam::444455556666:role/ci" } }] })
}
