"""What is destroyed, replaced or forgotten."""
