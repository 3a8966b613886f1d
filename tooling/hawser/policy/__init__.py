"""The gate: rules, the engine that runs them, and the adapter to checkov."""
