"""Hugging Face's reader, imported where it reads: each worker would spend a second or two on it."""

from typing import Any


def load_dataset(*arguments: Any, **options: Any) -> Any:
    """`datasets.load_dataset`."""
    import datasets

    return datasets.load_dataset(*arguments, **options)
