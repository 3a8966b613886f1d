resource "aws_ecs_task_definition" "proxy" {
  family = "proxy"
  container_definitions = jsonencode([{
    name        = "proxy"
    image       = "proxy@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    memory      = 512
    environment = [{ name = "HF_TOKEN", value = "hf_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE" }]
  }])
}
