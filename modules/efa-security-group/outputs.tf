output "id" {
  description = "Id of the security group; waits until it has all its rules."
  value       = aws_security_group.this.id
  depends_on = [
    aws_vpc_security_group_egress_rule.https_anywhere,
    aws_vpc_security_group_egress_rule.https_s3,
    aws_vpc_security_group_egress_rule.https_vpc,
    aws_vpc_security_group_egress_rule.self,
    aws_vpc_security_group_ingress_rule.self,
  ]
}
