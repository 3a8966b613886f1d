# alone
output "token" {
  value = "hf_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE"
}
