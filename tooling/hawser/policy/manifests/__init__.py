"""Judges objects of Kubernetes before they are applied: those that hawser rendered, and those that people have."""
