resource "aws_iam_role_policy_attachment" "node" {
  role       = "node"
  policy_arn = "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"
}

resource "aws_iam_role_policy_attachment" "own" {
  role       = "node"
  policy_arn = aws_iam_policy.own.arn
}

resource "aws_iam_policy" "own" {
  name = "own"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = "s3:GetObject", Resource = "arn:aws:s3:::weights/*" }
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
