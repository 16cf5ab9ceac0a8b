"""Connections to warehouses."""
