"""How GPU nodes are launched."""
