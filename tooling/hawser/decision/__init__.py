"""From findings to a decision, and the record that binds it to exactly these bytes."""
