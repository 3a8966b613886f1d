resource "aws_ecs_task_definition" "proxy" {
  family = "proxy"
  container_definitions = jsonencode([
    { name = "a", image = "111122223333.dkr.ecr.us-west-2.amazonaws.com/proxy:v1", memory = 512 },
    { name = "b", image = "111122223333.dkr.ecr.us-west-2.amazonaws.com/proxy@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", memory = 512 },
  ])
}
