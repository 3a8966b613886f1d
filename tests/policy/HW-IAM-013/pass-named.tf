locals {
  ours   = "arn:aws:iam::111122223333:oidc-provider"
  github = "token.actions.githubusercontent.com"
  trusts = {
    named = { issuer = local.github, like = ["repo:acme/k3:environment:prod", "repo:acme/k3:pull_request", "repo:acme/k3:ref:refs/heads/release-*"] }
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
      Principal = { Federated = "${local.ours}/${each.value.issuer}" }
      Condition = { StringLike = { "${each.value.issuer}:sub" = each.value.like } }
    }]
  })
}
