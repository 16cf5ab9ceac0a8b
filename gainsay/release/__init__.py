"""A release of a benchmark: what one publishes, put together from the warehouse."""
