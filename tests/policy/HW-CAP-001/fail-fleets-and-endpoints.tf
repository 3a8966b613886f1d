resource "aws_ec2_fleet" "gpu" {
  type = "maintain"
  launch_template_config {
    launch_template_specification {
      launch_template_id = "lt-elsewhere"
      version            = "1"
    }
    override {
      instance_type = "p5.48xlarge"
    }
  }
  target_capacity_specification {
    default_target_capacity_type = "on-demand"
    total_target_capacity        = 1
  }
}
resource "aws_sagemaker_endpoint_configuration" "k3" {
  name = "k3-2"
  production_variants {
    variant_name           = "k3"
    model_name             = "k3"
    instance_type          = "ml.p5en.48xlarge"
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
