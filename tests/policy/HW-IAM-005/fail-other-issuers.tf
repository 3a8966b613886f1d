locals {
  ours   = "arn:aws:iam::111122223333:oidc-provider"
  github = "token.actions.githubusercontent.com"
  trusts = {
    no-sub = { issuer = local.github, condition = { StringEquals = { "${local.github}:aud" = "sts.amazonaws.com" } } }
    # The second of two subjects is everybody's.
    any-owner       = { issuer = local.github, condition = { StringLike = { "${local.github}:sub" = ["repo:acme/k3:*", "repo:*"] } } }
    any-repository  = { issuer = local.github, condition = { StringLike = { "${local.github}:sub" = "repo:acme/*" } } }
    longer-owner    = { issuer = local.github, condition = { StringLike = { "${local.github}:sub" = "*acme/k3:ref:refs/heads/main" } } }
    longer-name     = { issuer = local.github, condition = { StringLike = { "${local.github}:sub" = "repo:acme/k3*" } } }
    any-project     = { issuer = "gitlab.com", condition = { StringLike = { "gitlab.com:sub" = "project_path:acme/*:ref_type:branch:ref:main" } } }
    eks-with-ipv6   = { issuer = "oidc-eks.us-west-2.api.aws/id/0123456789ABCDEF0123456789ABCDEF", condition = {} }
    does-not-narrow = { issuer = local.github, condition = { StringLikeIfExists = { "${local.github}:sub" = "repo:acme/k3:*" } } }
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
      Condition = each.value.condition
    }]
  })
}
