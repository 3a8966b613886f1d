resource "aws_sagemaker_endpoint_configuration" "k3" {
  name = "k3-2"
  production_variants {
    variant_name           = "k3"
    model_name             = "k3"
    instance_type          = "ml.p5en.48xlarge"
    initial_instance_count = 3
  }
  production_variants {
    variant_name           = "router"
    model_name             = "router"
    instance_type          = "ml.m5.large"
    initial_instance_count = 1
  }
}
resource "aws_sagemaker_endpoint" "k3" {
  name                 = "k3"
  endpoint_config_name = aws_sagemaker_endpoint_configuration.k3.name
}
