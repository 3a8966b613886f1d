resource "aws_ecr_repository" "vllm" {
  name = "vllm"
}
