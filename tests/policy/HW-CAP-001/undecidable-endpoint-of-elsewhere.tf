resource "aws_sagemaker_endpoint" "k3" {
  name                 = "k3"
  endpoint_config_name = "k3-elsewhere"
}
