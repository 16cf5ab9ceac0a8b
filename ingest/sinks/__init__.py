"""Raw tables of each engine, as landings write to them."""
