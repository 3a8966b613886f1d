resource "aws_kms_key" "later" {}

resource "aws_kms_alias" "later" {
  name          = "alias/later"
  target_key_id = aws_kms_key.later.id
}

resource "aws_iam_role" "plain" {
  name = "plain"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }]
  })
}

resource "aws_iam_role" "none" {
  name = "none"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }]
  })

  dynamic "inline_policy" {
    for_each = []
    content {
      name   = inline_policy.value
      policy = "{}"
    }
  }
}
