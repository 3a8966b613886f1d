locals {
  ours   = "arn:aws:iam::111122223333:oidc-provider"
  github = "token.actions.githubusercontent.com"
  eks    = "oidc-eks.us-west-2.api.aws/id/0123456789ABCDEF0123456789ABCDEF"
  circle = "oidc.circleci.com/org/11111111-2222-3333-4444-555555555555"
  trusts = {
    whole      = { issuer = local.github, condition = { StringEquals = { "${local.github}:sub" = ["repo:acme/k3:pull_request", "repo:acme/k3:ref:refs/heads/main"] } } }
    with-ids   = { issuer = local.github, condition = { StringEquals = { "${local.github}:sub" = "repo:acme@1234/k3@5678:environment:prod" } } }
    any-branch = { issuer = local.github, condition = { StringLike = { "${local.github}:sub" = "repo:acme/k3:ref:refs/heads/*" } } }
    project    = { issuer = "gitlab.com", condition = { StringLike = { "gitlab.com:sub" = "project_path:acme/k3:ref_type:branch:ref:*" } } }
    other-form = { issuer = local.circle, condition = { StringLike = { "${local.circle}:sub" = "org/11111111/project/22222222/user/*" } } }
    pods       = { issuer = local.eks, condition = { StringEquals = { "${local.eks}:sub" = "system:serviceaccount:inference:vllm" } } }
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
# No token of a provider: whom it trusts its SAML metadata says.
resource "aws_iam_role" "saml" {
  name = "saml"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithSAML"
      Principal = { Federated = "arn:aws:iam::111122223333:saml-provider/people" }
      Condition = { StringEquals = { "SAML:aud" = "https://signin.aws.amazon.com/saml" } }
    }]
  })
}
