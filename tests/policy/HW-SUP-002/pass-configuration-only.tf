resource "aws_launch_template" "node" {
  name = "node"
  user_data = base64encode(<<-EOT
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary="X"
    
    --X
    Content-Type: application/node.eks.aws
    
    apiVersion: node.eks.aws/v1alpha1
    kind: NodeConfig
    spec:
      instance:
        localStorage: {strategy: RAID0}
    --X--
  EOT
  )
  metadata_options {
    http_tokens = "required"
  }
}

resource "aws_s3_object" "notes" {
  bucket  = "hawser-lifecycle"
  key     = "notes.md"
  content = "Do not pip install anything."
}
