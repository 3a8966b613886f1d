"""Driving terraform, and the typed view of what it plans."""
