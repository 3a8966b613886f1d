# The real provider without an account: it computes policy documents without calling AWS.
provider "aws" {
  region                      = "us-west-2"
  access_key                  = "offline"
  secret_key                  = "offline"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}

variables {
  name              = "hawser-prod-load-balancer"
  oidc_provider_arn = "arn:aws:iam::111122223333:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
  namespace         = "hyperpod-inference-system"
  service_account   = "aws-load-balancer-controller"
}

run "trust_is_held_to_one_service_account" {
  command = plan

  assert {
    condition = one(jsondecode(aws_iam_role.this.assume_role_policy).Statement) == {
      Sid       = "ServiceAccount"
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Principal = { Federated = "arn:aws:iam::111122223333:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF" }
      Condition = {
        StringEquals = {
          "oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF:sub" = "system:serviceaccount:hyperpod-inference-system:aws-load-balancer-controller"
          "oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF:aud" = "sts.amazonaws.com"
        }
      }
    }
    error_message = "only the tokens of this service account, made for STS, may take the role"
  }

  assert {
    condition     = output.role_arn == "arn:aws:iam::111122223333:role/hawser-prod-load-balancer"
    error_message = "the ARN must be known before the role exists"
  }
}

run "services_and_policies_are_added" {
  command = plan

  variables {
    services            = ["sagemaker.amazonaws.com"]
    policy_json         = { read = "{\"Version\":\"2012-10-17\",\"Statement\":[]}" }
    managed_policy_arns = { operator = "arn:aws:iam::aws:policy/AmazonSageMakerHyperPodInferenceAccess" }
  }

  assert {
    condition     = jsondecode(aws_iam_role.this.assume_role_policy).Statement[1] == { Sid = "Services", Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "sagemaker.amazonaws.com" } }
    error_message = "the service must be a statement of its own"
  }

  assert {
    condition     = keys(aws_iam_role_policy.this) == ["read"] && aws_iam_role_policy_attachment.this["operator"].role == "hawser-prod-load-balancer"
    error_message = "inline and managed policies must be on the role"
  }
}

run "refuses_patterns" {
  command = plan

  variables {
    namespace       = "*"
    service_account = "hyperpod-inference-service-account*"
  }

  expect_failures = [var.namespace, var.service_account]
}

run "refuses_what_iam_refuses_at_apply" {
  command = plan

  variables {
    name                = "a role with spaces"
    oidc_provider_arn   = "https://oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
    services            = ["arn:aws:iam::111122223333:root"]
    policy_json         = { read = "s3:GetObject" }
    managed_policy_arns = { operator = "AmazonSageMakerHyperPodInferenceAccess" }
  }

  expect_failures = [var.name, var.oidc_provider_arn, var.services, var.policy_json, var.managed_policy_arns]
}
