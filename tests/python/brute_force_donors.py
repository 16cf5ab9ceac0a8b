"""Donors by the definition, pair by pair, in numpy: independent of the warehouse's SQL."""

import hashlib
import re
from collections import defaultdict
from typing import NamedTuple

import numpy as np

_STOP_WORDS = {
    "a",
    "an",
    "the",
    "is",
    "are",
    "on",
    "in",
    "at",
    "of",
    "to",
    "for",
    "there",
    "this",
    "that",
    "these",
    "those",
}


class Base(NamedTuple):
    """What donor selection knows of a base."""

    base_id: str
    source_image_id: str
    caption: str
    family: str
    answer_type: str


class Donors(NamedTuple):
    """The donors of a base; `hard_swap_flag` is false where the hard one is the easy one."""

    easy: str | None
    hard: str | None
    hard_swap_flag: bool
    jaccard: float


def noun_tokens(caption: str) -> frozenset[str]:
    """Caption tokens longer than two characters that are no stop words."""
    tokens = re.findall(r"[a-z0-9]+", caption.lower())
    return frozenset(token for token in tokens if len(token) > 2) - _STOP_WORDS


def find_donors(bases: list[Base], seed: int = 7) -> dict[str, Donors]:
    """Find every base's donors by looking at all pairs. Grows as the square."""
    easy = _walk(bases, seed, "easy_donor", hard=False)
    rings: dict[tuple[str, str], list[Base]] = defaultdict(list)
    for base in bases:
        rings[base.family, base.answer_type].append(base)
    hard: dict[str, str | None] = {}
    for ring in rings.values():
        hard |= _walk(ring, seed, "hard_donor", hard=True)

    tokens = {base.base_id: noun_tokens(base.caption) for base in bases}
    donors = {}
    for base_id, own_tokens in tokens.items():
        donor = hard[base_id] or easy[base_id]
        jaccard = _jaccard(own_tokens, tokens[donor]) if donor else float("nan")
        donors[base_id] = Donors(easy[base_id], donor, hard[base_id] is not None, jaccard)
    return donors


def _walk(bases: list[Base], seed: int, purpose: str, *, hard: bool) -> dict[str, str | None]:
    def order(base: Base) -> tuple[str, str]:
        key = f"{seed}:{purpose}:{base.base_id}"
        return hashlib.md5(key.encode()).hexdigest(), base.base_id

    ring = sorted(bases, key=order)
    images = np.unique([base.source_image_id for base in ring], return_inverse=True)[1]
    captions = np.unique([base.caption for base in ring], return_inverse=True)[1]
    token_sets = [noun_tokens(base.caption) for base in ring]
    sizes = np.array([len(tokens) for tokens in token_sets])
    positions_by_token: dict[str, list[int]] = defaultdict(list)
    for position, tokens in enumerate(token_sets):
        for token in tokens:
            positions_by_token[token].append(position)
    index = {token: np.array(positions) for token, positions in positions_by_token.items()}

    found: dict[str, str | None] = {}
    for position, base in enumerate(ring):
        fits = (images != images[position]) & (captions != captions[position])
        if hard:
            postings = [index[token] for token in token_sets[position]]
            shared = np.bincount(
                np.concatenate(postings) if postings else np.array([], dtype=int),
                minlength=len(ring),
            )
            union = sizes + sizes[position] - shared
            jaccard = np.where(union == 0, 1.0, shared / np.maximum(union, 1))
            fits &= (jaccard >= 0.2) & (jaccard <= 0.7)
        walked = np.roll(fits, -(position + 1))
        steps = int(walked.argmax())
        found[base.base_id] = (
            ring[(position + 1 + steps) % len(ring)].base_id if walked[steps] else None
        )
    return found


def _jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    return len(left & right) / len(left | right) if left | right else 1.0
