resource "aws_vpc_security_group_ingress_rule" "this" {
  security_group_id            = "sg-0a1b2c3d4e5f60718"
  referenced_security_group_id = "444455556666/sg-0a1b2c3d4e5f60719"
  ip_protocol                  = "tcp"
  from_port                    = 443
  to_port                      = 443
}
resource "aws_lambda_layer_version_permission" "this" {
  layer_name     = "arn:aws:lambda:us-west-2:111122223333:layer:tools"
  version_number = 1
  principal      = "444455556666"
  action         = "lambda:GetLayerVersion"
  statement_id   = "other"
}
resource "aws_vpc_endpoint_service_allowed_principal" "this" {
  vpc_endpoint_service_id = "vpce-svc-0123456789abcdef0"
  principal_arn           = "arn:aws:iam::444455556666:root"
}
resource "aws_msk_cluster" "this" {
  cluster_name           = "events"
  kafka_version          = "3.6.0"
  number_of_broker_nodes = 3
  broker_node_group_info {
    instance_type   = "kafka.m5.large"
    client_subnets  = ["subnet-0a1b2c3d4e5f60718"]
    security_groups = ["sg-0a1b2c3d4e5f60718"]
    connectivity_info {
      public_access {
        type = "SERVICE_PROVIDED_EIPS"
      }
    }
  }
}
resource "aws_ram_resource_association" "this" {
  resource_arn       = "arn:aws:ec2:us-west-2:111122223333:subnet/subnet-0a1b2c3d4e5f60718"
  resource_share_arn = "arn:aws:ram:us-west-2:111122223333:resource-share/01234567-89ab-cdef-0123-456789abcdef"
}
