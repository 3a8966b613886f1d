resource "aws_ecr_repository" "vllm" {
  name                 = "vllm"
  image_tag_mutability = "IMMUTABLE"
}
