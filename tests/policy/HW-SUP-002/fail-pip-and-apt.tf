resource "aws_launch_template" "node" {
  name = "node"
  user_data = base64encode(<<-EOT
    #!/bin/bash
    apt-get -y install jq
    python3 -m pip install \
      vllm
  EOT
  )
  metadata_options {
    http_tokens = "required"
  }
}
