"""Accelerators: fewer than before, fewer than the contract needs, bought by an apply."""
