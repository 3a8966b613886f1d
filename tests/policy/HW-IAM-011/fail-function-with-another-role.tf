resource "aws_lambda_function" "rotate" {
  function_name = "rotate"
  role          = "arn:aws:iam::111122223333:role/administrator"
  runtime       = "python3.12"
  handler       = "main.run"
  s3_bucket     = "code"
  s3_key        = "rotate.zip"
}
