"""What dbt-duckdb loads, as the profile says."""
