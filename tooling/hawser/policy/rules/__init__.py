"""One folder per area, one file per rule."""
