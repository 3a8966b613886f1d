locals {
  trusts = {
    pool   = { provider = "cognito-identity.amazonaws.com", condition = { StringEquals = { "cognito-identity.amazonaws.com:aud" = "us-west-2:01234567-89ab-cdef-0123-456789abcdef" } } }
    google = { provider = "accounts.google.com", condition = { StringEquals = { "accounts.google.com:aud" = "1234.apps.googleusercontent.com" } } }
  }
}
resource "aws_iam_role" "this" {
  for_each = local.trusts

  name = each.key
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Principal = { Federated = each.value.provider }
      Condition = each.value.condition
    }]
  })
}
