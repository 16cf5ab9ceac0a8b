"""Files that are written beside exported records as they are, and run there without gainsay."""
