# The AWS provider has no resource for a HyperPod cluster, so CloudFormation holds this one. Terraform shows a replacement of the
# cluster as an update of the stack; the stack policy makes CloudFormation refuse it.
resource "aws_cloudformation_stack" "this" {
  name          = var.name
  template_body = local.template_body
  iam_role_arn  = var.cloudformation_role_arn

  policy_body = jsonencode({
    Statement = [
      {
        Effect    = "Allow"
        Principal = "*"
        Action    = "Update:*"
        Resource  = "*"
      },
      {
        Effect    = "Deny"
        Principal = "*"
        Action    = ["Update:Delete", "Update:Replace"]
        Resource  = "LogicalResourceId/Cluster"
      },
    ]
  })

  # These two are fixed for ever: changing either replaces the stack, and with it the cluster.
  # DELETE, because at creation nothing serves yet, and a failed creation then leaves nothing: the next plan is a plain create.
  # DO_NOTHING would leave a failed stack that cannot be updated, and the next plan would replace it. The reason stays in the events
  # of the deleted stack for 90 days, the nodes' logs in CloudWatch.
  on_failure         = "DELETE"
  timeout_in_minutes = 720

  timeouts {
    create = "12h"
    update = "12h"
    delete = "12h"
  }

  lifecycle {
    precondition {
      # CloudFormation counts bytes. Base64 has 4 characters for 3 bytes, less the padding.
      condition     = length(base64encode(local.template_body)) / 4 * 3 - length(regexall("=", base64encode(local.template_body))) <= 51200
      error_message = "The template of HyperPod cluster ${var.name} is larger than the 51,200 bytes that CloudFormation accepts: use fewer instance groups, labels or tags."
    }
  }

  depends_on = [aws_s3_object.on_create]
}
