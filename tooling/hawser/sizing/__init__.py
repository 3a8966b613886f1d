"""Does the model fit."""
