# alone
terraform {}
