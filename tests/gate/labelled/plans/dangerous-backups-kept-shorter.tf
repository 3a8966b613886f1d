resource "aws_db_instance" "registry" {
  identifier              = "registry"
  instance_class          = "db.t4g.medium"
  engine                  = "postgres"
  allocated_storage       = 20
  username                = "registry"
  storage_encrypted       = true
  skip_final_snapshot     = true
  backup_retention_period = 0
}
