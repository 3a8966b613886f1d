resource "aws_cloudformation_stack" "hyperpod" {
  name         = "hyperpod-prod"
  template_url = "https://example.s3.amazonaws.com/cluster.yaml"
}
