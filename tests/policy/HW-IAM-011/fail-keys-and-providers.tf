resource "aws_iam_access_key" "this" {
  user = "ci"
}
resource "aws_iam_user_login_profile" "this" {
  user = "somebody"
}
resource "aws_iam_openid_connect_provider" "this" {
  url            = "https://ci.example.com"
  client_id_list = ["sts.amazonaws.com"]
}
resource "aws_kms_grant" "this" {
  key_id            = "1234abcd-12ab-34cd-56ef-1234567890ab"
  grantee_principal = "arn:aws:iam::444455556666:role/reader"
  operations        = ["Decrypt"]
}
resource "aws_iam_user_group_membership" "this" {
  user   = "somebody"
  groups = ["administrators"]
}
resource "aws_ssoadmin_account_assignment" "this" {
  instance_arn       = "arn:aws:sso:::instance/ssoins-0123456789abcdef"
  permission_set_arn = "arn:aws:sso:::permissionSet/ssoins-0123456789abcdef/ps-0123456789abcdef"
  principal_id       = "90a7f8c5-1111-2222-3333-444455556666"
  principal_type     = "USER"
  target_id          = "111122223333"
  target_type        = "AWS_ACCOUNT"
}
