resource "aws_s3_object" "on_create" {
  bucket  = "hawser-lifecycle"
  key     = "on_create.sh"
  content = <<-EOT
    #!/bin/bash
    git clone https://example.com/setup.git
  EOT
}
