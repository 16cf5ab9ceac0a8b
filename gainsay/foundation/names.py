"""Names of benchmarks, as people read them."""

from typing import Final

# names that are not their words with capitals; of question sets as their papers write them
_NAMES: Final = {
    "amber": "AMBER",
    "certainly_uncertain": "CertainlyUncertain",
    "clash": "CLASH",
    "gqa": "GQA",
    "mmhal": "MMHal-Bench",
    "okvqa": "OK-VQA",
    "pope": "POPE",
    "reality_check": "VLM Reality Check",
    "tdiuc": "TDIUC",
    "unk_vqa": "UNK-VQA",
    "vizwiz": "VizWiz",
    "vqa": "VQA v2.0",
}


def title(name: str) -> str:
    """A benchmark's name as the docs write it, or that of a screening in words."""
    return _NAMES.get(name, name.replace("_", " ").title())
