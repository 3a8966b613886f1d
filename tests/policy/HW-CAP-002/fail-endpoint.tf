resource "aws_sagemaker_endpoint_configuration" "k3" {
  name = "k3"
  production_variants {
    variant_name           = "k3"
    model_name             = "k3"
    instance_type          = "ml.p5en.48xlarge"
    initial_instance_count = 2
    initial_variant_weight = 1
  }
}
