"""Online sources."""
