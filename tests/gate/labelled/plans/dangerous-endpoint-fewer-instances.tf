resource "aws_sagemaker_endpoint_configuration" "k3" {
  name = "k3-2"
  production_variants {
    variant_name           = "k3"
    model_name             = "k3"
    instance_type          = "ml.p5.48xlarge"
    initial_instance_count = 1
  }
  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_sagemaker_endpoint" "k3" {
  name                 = "k3"
  endpoint_config_name = aws_sagemaker_endpoint_configuration.k3.name
}
