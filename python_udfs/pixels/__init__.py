"""Functions that look at or change pixels."""
