resource "terraform_data" "later" {
  input = ["one"]
}

# Looks in a plan exactly like the role below it.
resource "aws_iam_role" "hidden" {
  name = "hidden"
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
