data "aws_partition" "this" {}

resource "terraform_data" "partition" {
  input = data.aws_partition.this.partition
}
