# alone
locals {}
