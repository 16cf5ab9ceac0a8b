"""Looking into a warehouse: lineage, comparison, manifest, funnel."""
