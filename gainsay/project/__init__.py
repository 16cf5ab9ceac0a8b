"""The dbt project: where it is, compiling, building, its plugins."""
