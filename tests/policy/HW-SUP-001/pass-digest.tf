resource "aws_launch_template" "node" {
  name = "node"
  user_data = base64encode(<<-EOT
    #!/bin/bash
    # docker run vllm/vllm-openai:latest
    ctr image pull 111122223333.dkr.ecr.us-west-2.amazonaws.com/vllm/vllm-openai@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
    curl -sf http://127.0.0.1:8000/health
  EOT
  )
  metadata_options {
    http_tokens = "required"
  }
}
