resource "aws_fsx_lustre_file_system" "weights" {
  storage_capacity = 1200
  subnet_ids       = ["subnet-0a"]
  deployment_type  = "SCRATCH_2"
}
