resource "aws_ecs_task_definition" "proxy" {
  family = "proxy"
  container_definitions = jsonencode([{
    name    = "proxy"
    image   = "proxy@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    memory  = 512
    secrets = [{ name = "HF_TOKEN", valueFrom = "arn:aws:secretsmanager:us-west-2:111122223333:secret:hf-token" }]
  }])
}

resource "aws_launch_template" "node" {
  name = "node"
  metadata_options {
    http_tokens = "required"
  }
}
