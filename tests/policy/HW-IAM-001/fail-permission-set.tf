resource "aws_ssoadmin_permission_set_inline_policy" "this" {
  instance_arn       = "arn:aws:sso:::instance/ssoins-0123456789abcdef"
  permission_set_arn = "arn:aws:sso:::permissionSet/ssoins-0123456789abcdef/ps-0123456789abcdef"
  inline_policy      = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }] })
}
