resource "aws_iam_role" "new" {
  name               = "new"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ "Effect" : "Allow", "Action" : "sts:AssumeRole", "Principal" : { "Service" : "ec2.amazonaws.com" } }, { "Effect" : "Allow", "Action" : "sts:AssumeRole", "Principal" : { "AWS" : "arn:aws:iam::444455556666:root" }, "Condition" : { "StringEquals" : { "sts:ExternalId" : "hawser" } } }] })
}
