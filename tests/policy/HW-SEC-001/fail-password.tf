resource "aws_db_instance" "registry" {
  identifier        = "registry"
  instance_class    = "db.t3.micro"
  engine            = "postgres"
  allocated_storage = 20
  username          = "registry"
  password          = "example-Passw0rd-4712"
}

resource "aws_lambda_function" "hook" {
  function_name = "hook"
  role          = "arn:aws:iam::111122223333:role/hook"
  image_uri     = "111122223333.dkr.ecr.us-west-2.amazonaws.com/hook@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  package_type  = "Image"
  environment {
    variables = {
      DB_PASSWORD = "example-Passw0rd-4711"
      LOG_LEVEL   = "info"
    }
  }
}
