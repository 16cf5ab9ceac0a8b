"""Bytes to raw tables: every source that gainsay reads."""
