resource "aws_launch_template" "node" {
  name = "node"
  user_data = base64encode(<<-EOT
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary="X"
    
    --X
    Content-Type: text/x-shellscript; charset="us-ascii"
    
    #!/bin/bash
    curl -sSL https://example.com/install | sudo bash
    --X--
  EOT
  )
  metadata_options {
    http_tokens = "required"
  }
}
