"""Bytes to raw tables: every source gainsay reads, and the `gainsay` command line."""
