"""What is reachable from the internet."""
