"""Rules between fields. Each file holds one theme; ``registry`` holds them all."""
