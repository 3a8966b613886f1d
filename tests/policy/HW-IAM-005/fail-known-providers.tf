locals {
  trusts = {
    pool   = { provider = "cognito-identity.amazonaws.com", condition = { "ForAnyValue:StringLike" = { "cognito-identity.amazonaws.com:amr" = "unauthenticated" } } }
    google = { provider = "accounts.google.com", condition = { StringLike = { "accounts.google.com:aud" = "*" } } }
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
