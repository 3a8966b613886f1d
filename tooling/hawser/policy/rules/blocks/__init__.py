"""Node groups on EC2 Capacity Blocks."""
