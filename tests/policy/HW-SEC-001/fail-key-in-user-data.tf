resource "aws_launch_template" "node" {
  name = "node"
  user_data = base64encode(<<-EOT
    #!/bin/bash
    export AWS_ACCESS_KEY_ID=AKIAEXAMPLEEXAMPLE22
  EOT
  )
  metadata_options {
    http_tokens = "required"
  }
}
