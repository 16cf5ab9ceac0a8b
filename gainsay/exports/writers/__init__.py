"""A module for each format, by its name: `write(records, folder)` makes its files."""
