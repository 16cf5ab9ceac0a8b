"""The Spark session and its tables."""
