resource "aws_launch_template" "node" {
  name = "node"
  user_data = base64encode(<<-EOT
    #!/bin/bash
    docker run --gpus all -p 8000:8000 -v /models:/models:ro vllm/vllm-openai:latest --port 8000
  EOT
  )
  metadata_options {
    http_tokens = "required"
  }
}
