"""Networks in ONNX files that draw boxes around what a phrase names, and how they read the phrase.

The layout is known by the inputs beside the picture:

    grounding-dino   input_ids, token_type_ids, attention_mask: logits (boxes x tokens), pred_boxes
    owl-vit          input_ids, attention_mask: logits (boxes x phrases), pred_boxes

Boxes are centre and size as shares of the picture. The words come as the network's own tokens:
BERT's pieces by `vocab.txt` beside the file, CLIP's by `vocab.json` and `merges.txt`.
"""

import json
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from gainsay.python_udfs.annotate.networks import Network
from gainsay.python_udfs.errors import SetupError
from gainsay.python_udfs.pixels.corruptions import Pixels

_WANTED: Final = {"logits", "pred_boxes"}
# Grounding DINO looks for what ends with a full stop
_PHRASE_END: Final = "."
# what OWL-ViT was trained on, and how many tokens it takes
_CAPTION: Final = "a photo of a {}"
_CLIP_TOKENS: Final = 16
_MOST_PIECES: Final = 254
_MOST_LETTERS: Final = 100


@dataclass(frozen=True)
class NamedBox:
    """Where a phrase's thing is: left, top, width and height in pixels, confidence 0 to 1.

    `words` are those of the phrase that the box is of.
    """

    bbox: tuple[float, float, float, float]
    confidence: float
    words: str


def find(
    network: Network, folder: Path, pixels: Pixels, phrase: str, box_from: float, word_from: float
) -> list[NamedBox]:
    """The things in a picture that a phrase names, the surest first.

    A box counts where one of the phrase's tokens is surer than `box_from`; it is of the words that
    are surer than `word_from`. `folder` has the network's words. Source: Grounding DINO and OWL-ViT
    as Hugging Face exports them. Errors: `SetupError` for another layout, or without its words.
    """
    tokens, ids = _tokens(network, folder, phrase)
    if not any(letter.isalnum() for letter in phrase):
        return []
    prepared = network.prepare(pixels)
    picture = prepared.tensor[None]
    given: dict[str, Any] = {}
    for each in network.session.get_inputs():
        if len(each.shape) == 4:
            given[each.name] = picture
        elif each.name == "pixel_mask":
            given[each.name] = np.ones((1, *picture.shape[2:]), np.int64)
        elif each.name == "input_ids":
            given[each.name] = np.array([ids], np.int64)
        elif each.name == "attention_mask":
            given[each.name] = np.array([[1] * len(tokens) + [0] * (len(ids) - len(tokens))])
        elif each.name == "token_type_ids":
            given[each.name] = np.zeros((1, len(ids)), np.int64)
    names = [output.name for output in network.session.get_outputs()]
    said = dict(zip(names, network.session.run(names, given), strict=True))
    scores = 1 / (1 + np.exp(-said["logits"][0].astype(np.float64)))
    if _is_grounding_dino(network):
        # the first and the last two tokens are no words of the phrase
        scores = scores[:, 1 : len(tokens) - 2]
        words = tokens[1:-2]
    else:
        scores, words = scores[:, :1], [phrase]
    height, width = pixels.shape[:2]
    sure = scores.max(axis=1)
    return [
        NamedBox(
            _in_pixels(said["pred_boxes"][0, place], width, height),
            float(sure[place]),
            _joined(
                word for word, score in zip(words, scores[place], strict=True) if score > word_from
            ),
        )
        for place in np.argsort(-sure, kind="stable").tolist()
        if sure[place] > box_from
    ]


def _is_grounding_dino(network: Network) -> bool:
    inputs = {each.name for each in network.session.get_inputs()}
    outputs = {each.name for each in network.session.get_outputs()}
    if "input_ids" not in inputs or not outputs >= _WANTED:
        raise SetupError(
            f"a network with inputs {', '.join(sorted(inputs))} and outputs"
            f" {', '.join(sorted(outputs))}; a picture and input_ids, to logits and pred_boxes, are"
            " needed (Grounding DINO, OWL-ViT)"
        )
    return "token_type_ids" in inputs


def _in_pixels(box: Any, width: int, height: int) -> tuple[float, float, float, float]:
    """A box of centre and size as shares, cut off at the picture's edges."""
    across, down, wide, high = (float(number) for number in box)
    left, right = (min(max(across + sign * wide / 2, 0.0), 1.0) * width for sign in (-1, 1))
    top, bottom = (min(max(down + sign * high / 2, 0.0), 1.0) * height for sign in (-1, 1))
    return left, top, right - left, bottom - top


def _joined(pieces: Iterator[str]) -> str:
    return " ".join(pieces).replace(" ##", "").removeprefix("##")


def _tokens(network: Network, folder: Path, phrase: str) -> tuple[list[str], list[int]]:
    """The tokens of a phrase, and the numbers that the network takes."""
    if _is_grounding_dino(network):
        vocabulary = _bert_words(folder)
        pieces = [
            piece
            for word in _bert_split(f"{phrase.rstrip(_PHRASE_END)} {_PHRASE_END}")
            for piece in bert_pieces(word, vocabulary)
        ]
        tokens = ["[CLS]", *pieces[:_MOST_PIECES], "[SEP]"]
        return tokens, [vocabulary[token] for token in tokens]
    numbers, merges = _clip_words(folder)
    words = _CAPTION.format(phrase).lower().split()
    pieces = [piece for word in words for piece in clip_pieces(word, merges)]
    tokens = ["<|startoftext|>", *pieces[: _CLIP_TOKENS - 2], "<|endoftext|>"]
    unknown = numbers["<|endoftext|>"]
    ids = [numbers.get(token, unknown) for token in tokens]
    return tokens, ids + [0] * (_CLIP_TOKENS - len(ids))


def _bert_split(text: str) -> Iterator[str]:
    """Words and signs in small letters without accents."""
    word = ""
    for letter in unicodedata.normalize("NFD", text.lower()):
        kind = unicodedata.category(letter)
        if kind == "Mn":
            continue
        if kind[0] in "PS" or letter.isspace():
            if word:
                yield word
            word = ""
            if not letter.isspace():
                yield letter
        else:
            word += letter
    if word:
        yield word


def bert_pieces(word: str, vocabulary: dict[str, int]) -> list[str]:
    """A word as the longest pieces that the vocabulary has, those behind the first after ##."""
    pieces: list[str] = []
    start = 0
    while start < len(word) <= _MOST_LETTERS:
        opening = "##" if start else ""
        end = next(
            (end for end in range(len(word), start, -1) if opening + word[start:end] in vocabulary),
            None,
        )
        if end is None:
            return ["[UNK]"]
        pieces.append(opening + word[start:end])
        start = end
    return pieces or ["[UNK]"]


def clip_pieces(word: str, merges: dict[tuple[str, str], int]) -> list[str]:
    """A word as byte pairs, merged in the order of the merges; the last one ends with </w>."""
    letters = [_BYTES[byte] for byte in word.encode()]
    pieces = [*letters[:-1], f"{letters[-1]}</w>"]
    while len(pieces) > 1:
        pairs = list(pairwise(pieces))
        best = min(pairs, key=lambda pair: merges.get(pair, len(merges)))
        if best not in merges:
            break
        merged: list[str] = []
        for piece in pieces:
            if merged and (merged[-1], piece) == best:
                merged[-1] += piece
            else:
                merged.append(piece)
        pieces = merged
    return pieces


def _letters_of_bytes() -> dict[int, str]:
    """A letter for each byte: itself where it can be seen, else one from 256 on."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in seen]
    return {byte: chr(byte) for byte in seen} | {
        byte: chr(256 + place) for place, byte in enumerate(others)
    }


_BYTES: Final = _letters_of_bytes()


@cache
def _bert_words(folder: Path) -> dict[str, int]:
    lines = _read(folder / "vocab.txt").split("\n")
    return {word: number for number, word in enumerate(lines) if word}


@cache
def _clip_words(folder: Path) -> tuple[dict[str, int], dict[tuple[str, str], int]]:
    numbers: dict[str, int] = json.loads(_read(folder / "vocab.json"))
    pairs: Sequence[list[str]] = [
        line.split() for line in _read(folder / "merges.txt").split("\n")
        if line and not line.startswith("#version")
    ]  # fmt: skip
    return numbers, {(first, second): place for place, (first, second) in enumerate(pairs)}


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise SetupError(
            f"{file}: {error.strerror}; the words of the network are needed beside its file"
        ) from error
