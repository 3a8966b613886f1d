resource "aws_ecs_task_definition" "router" {
  family                = "router"
  container_definitions = jsonencode([{ name = "router", image = "111122223333.dkr.ecr.us-west-2.amazonaws.com/router:latest", memory = 512, readonlyRootFilesystem = true }])
}
