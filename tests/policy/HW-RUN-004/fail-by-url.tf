resource "aws_cloudformation_stack" "this" {
  name         = "this"
  template_url = "https://example.s3.amazonaws.com/this.yaml"
}
