"""From landed answers to boards: what is built, what is read, and what it says."""
