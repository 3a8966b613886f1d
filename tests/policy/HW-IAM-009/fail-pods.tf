resource "aws_iam_role" "node" {
  name               = "node"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ "Effect" : "Allow", "Action" : "sts:AssumeRole", "Principal" : { "Service" : "ec2.amazonaws.com" } }] })
}

resource "aws_eks_pod_identity_association" "more" {
  cluster_name    = "hawser-prod"
  namespace       = "serving"
  service_account = "debug"
  role_arn        = "arn:aws:iam::111122223333:role/node"
}
