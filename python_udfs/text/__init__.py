"""Functions of words."""
