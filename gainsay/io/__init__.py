"""Safe files: atomic writing, archives, pictures, HTTP."""
