terraform {
  required_version = ">= 1.11"

  # The rest of the backend (bucket, key, region) comes from the environment at init.
  backend "s3" {}

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.100, < 7"
    }
  }
}
