"""The served model, seen from outside: through its OpenAI-compatible API at a base URL that is handed in."""
