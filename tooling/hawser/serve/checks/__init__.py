"""The single checks: of the API around the model, of its answers, and of its tool calls."""
