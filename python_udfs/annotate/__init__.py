"""Functions that say what a picture shows."""
