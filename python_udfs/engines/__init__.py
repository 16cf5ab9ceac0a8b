"""The registry on each engine."""
