"""Secrets in clear."""
