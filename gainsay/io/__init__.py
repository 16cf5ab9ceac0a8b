"""Safe files: atomic writing, folders and their links, archives, HTTP.

Pictures are opened in `python_udfs.pixels.image_bytes`, because clusters get the functions
without the rest of the house.
"""
