"""Read-only questions to AWS."""
