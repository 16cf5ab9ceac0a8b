"""Functions of scores."""
