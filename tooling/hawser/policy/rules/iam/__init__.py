"""Who may do more."""
