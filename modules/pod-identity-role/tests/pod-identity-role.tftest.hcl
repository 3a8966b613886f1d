mock_provider "aws" {
  mock_data "aws_partition" {
    defaults = { partition = "aws" }
  }

  mock_data "aws_iam_policy_document" {
    defaults = { json = "{\"Version\":\"2012-10-17\",\"Statement\":[]}" }
  }
}

# For the policies: the real provider, which computes documents without calling AWS.
provider "aws" {
  alias                       = "offline"
  region                      = "us-west-2"
  access_key                  = "offline"
  secret_key                  = "offline"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}

variables {
  name            = "hawser-prod-vpc-cni"
  cluster_name    = "hawser-prod"
  cluster_arn     = "arn:aws:eks:us-west-2:111122223333:cluster/hawser-prod"
  account_id      = "111122223333"
  namespace       = "kube-system"
  service_account = "aws-node"
}

run "one_service_account_gets_the_role" {
  command = plan

  variables {
    policy_json         = { read = "{\"Version\":\"2012-10-17\",\"Statement\":[]}" }
    managed_policy_arns = { cni = "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy" }
  }

  assert {
    condition     = aws_eks_pod_identity_association.this.cluster_name == "hawser-prod" && aws_eks_pod_identity_association.this.namespace == "kube-system" && aws_eks_pod_identity_association.this.service_account == "aws-node"
    error_message = "the association must name cluster, namespace and service account"
  }

  assert {
    condition     = aws_iam_role_policy.this["read"].role == "hawser-prod-vpc-cni" && keys(aws_iam_role_policy_attachment.this) == ["cni"]
    error_message = "inline and managed policies must be on the role"
  }
}

run "trust_is_held_to_cluster_and_service_account" {
  command   = plan
  providers = { aws = aws.offline }
  state_key = "offline"

  assert {
    condition = one(jsondecode(aws_iam_role.this.assume_role_policy).Statement) == {
      Effect    = "Allow"
      Action    = ["sts:TagSession", "sts:AssumeRole"]
      Principal = { Service = "pods.eks.amazonaws.com" }
      Condition = {
        StringEquals = {
          "aws:SourceAccount"                         = "111122223333"
          "aws:RequestTag/kubernetes-namespace"       = "kube-system"
          "aws:RequestTag/kubernetes-service-account" = "aws-node"
        }
        ArnEquals = { "aws:SourceArn" = "arn:aws:eks:us-west-2:111122223333:cluster/hawser-prod" }
      }
    }
    error_message = "only EKS, for this account, cluster and service account, may assume the role"
  }
}

run "refuses_patterns" {
  command = plan

  variables {
    namespace       = "*"
    service_account = "vllm-*"
  }

  expect_failures = [var.namespace, var.service_account]
}

run "refuses_a_policy_that_is_not_one" {
  command = plan

  variables {
    policy_json         = { read = "s3:GetObject" }
    managed_policy_arns = { cni = "AmazonEKS_CNI_Policy" }
  }

  expect_failures = [var.policy_json, var.managed_policy_arns]
}
