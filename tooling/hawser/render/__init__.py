"""Deployment in, bytes out."""
