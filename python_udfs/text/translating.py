"""Translations by Marian networks: folders that Hugging Face's Optimum exports to ONNX.

What runs them is onnxruntime and sentencepiece, the extra `translation`; nothing is downloaded.
Every translation is kept under its network, its target and its text, so none is made twice.
"""

import errno
import hashlib
import json
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gainsay.python_udfs.annotate.results_cache import keep_results, read_results
from gainsay.python_udfs.errors import SetupError
from gainsay.python_udfs.installing import install_command
from gainsay.python_udfs.registry import TRANSLATION

Ids: TypeAlias = npt.NDArray[np.int64]
Finding: TypeAlias = dict[str, str | None]

_METHOD: Final = "translation 1"
_BATCH: Final = 32
# a translation that goes on for longer repeats itself
_LONGEST: Final = 3
_MORE_TOKENS: Final = 20
_FILES: Final = (
    "encoder_model.onnx",
    "decoder_model.onnx",
    "source.spm",
    "target.spm",
    "vocab.json",
    "config.json",
)
_WAY_OUT: Final = "or go on without it: --vars '{reality_check_translators: {}}'"


def translate(
    texts: pa.Array, targets: pa.Array, networks: pa.Array, folders: pa.Array
) -> pa.Array:
    """Each text in another language, as `TRANSLATION`, by the network of its row.

    Shapes: texts, target tokens (such as `>>ara<<`, null for a network of one language), folders
    of networks, folder for what is kept. `version` is that of the network's files. Errors: a text
    whose translation does not end, or is of no numbers, says so in `error` and is not kept;
    `SetupError` without the packages or a network. Source: MarianMT's layout: SentencePiece, then
    greedy decoding.
    """
    rows = list(zip(*(c.to_pylist() for c in (texts, targets, networks, folders)), strict=True))
    found: dict[tuple[Any, ...], Finding] = {}
    for network, folder in sorted({(row[2], row[3]) for row in rows}):
        version = network_version(network)
        wanted = sorted(
            {row for row in rows if row[2:] == (network, folder) and row[0] is not None},
            key=lambda row: (row[1] or "", row[0]),
        )
        keys = {row: _key(version, row[1], row[0]) for row in wanted}
        known = read_results(folder, keys.values())
        missing = [row for row in wanted if keys[row] not in known]
        made: dict[str, str] = {}
        errors: dict[tuple[Any, ...], str] = {}
        if missing:
            marian = _load(network, version)
            for target in sorted({row[1] for row in missing}, key=lambda target: target or ""):
                asked = [row for row in missing if row[1] == target]
                try:
                    translations = marian.translate([row[0] for row in asked], target)
                except ValueError as error:
                    errors |= dict.fromkeys(asked, str(error))
                    continue
                made |= {
                    keys[row]: text
                    for row, text in zip(asked, translations, strict=True)
                    if text is not None
                }
            keep_results(folder, made)
        for row in wanted:
            text = (known | made).get(keys[row])
            problem = errors.get(row, "the translation does not end") if text is None else None
            found[row] = {"text": text, "version": version, "error": problem}
    return pa.array([found.get(row) for row in rows], TRANSLATION)


def _key(version: str, target: str | None, text: str) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"{_METHOD}|{version}|{target or ''}|{digest}"


def network_version(folder: str) -> str:
    """The key of a network's translations: the SHA-256 of its files, shortened.

    Errors: `SetupError` for a file that is not there.
    """
    try:
        states = [(Path(folder) / name).stat() for name in _FILES]
        # a pipe would be waited for
        for name, state in zip(_FILES, states, strict=True):
            if not stat.S_ISREG(state.st_mode):
                raise OSError(errno.EINVAL, "not a regular file", str(Path(folder) / name))
    except OSError as error:
        raise SetupError(
            f"reality_check_translators: {error.filename}: {error.strerror}; a translator is a"
            f" folder with {', '.join(_FILES)}, as `optimum-cli export onnx --model"
            f" Helsinki-NLP/opus-mt-en-es {folder}` makes it; name one, {_WAY_OUT}"
        ) from error
    return _digest(folder, tuple((state.st_size, state.st_mtime_ns) for state in states))


@cache
def _digest(folder: str, states: tuple[tuple[int, int], ...]) -> str:
    del states
    whole = hashlib.sha256()
    for name in _FILES:
        with (Path(folder) / name).open("rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()[:16]


@dataclass(frozen=True)
class Marian:
    """A network that is ready to translate: its two halves, its pieces and their numbers."""

    encoder: Any
    decoder: Any
    source: Any
    target: Any
    numbers: dict[str, int]
    pieces: dict[int, str]
    config: dict[str, Any]

    def translate(self, texts: Sequence[str], target_token: str | None) -> list[str | None]:
        """The texts in the network's language; null for one that does not end.

        Errors: `SetupError` for a target that the network does not know.
        """
        if target_token is not None and target_token not in self.numbers:
            raise SetupError(
                f"reality_check_translators: the network has no language {target_token}; name one"
                f" that the seed reality_check_languages means, {_WAY_OUT}"
            )
        tokens = [self._tokens(text, target_token) for text in texts]
        found: dict[int, str | None] = {}
        for places in _batches_of_one_length(tokens):
            outputs = self._decode(np.array([tokens[place] for place in places], np.int64))
            for place, output in zip(places, outputs, strict=True):
                found[place] = None if output is None else self._text(output)
        return [found[place] for place in range(len(texts))]

    def _tokens(self, text: str, target_token: str | None) -> list[int]:
        pieces = self.source.encode(text, out_type=str)
        in_front = [] if target_token is None else [target_token]
        unknown = self.numbers["<unk>"]
        numbers = [self.numbers.get(piece, unknown) for piece in (*in_front, *pieces)]
        return [*numbers, self.config["eos_token_id"]]

    def _decode(self, tokens: Ids) -> list[list[int] | None]:
        """The likeliest next token, again and again, until each text has ended."""
        end, pad = self.config["eos_token_id"], self.config["pad_token_id"]
        mask = np.ones_like(tokens)
        [states] = self.encoder.run(
            ["last_hidden_state"], {"input_ids": tokens, "attention_mask": mask}
        )
        start = self.config["decoder_start_token_id"]
        output = np.full((len(tokens), 1), start, np.int64)
        has_ended = np.zeros(len(tokens), np.bool_)
        for _ in range(_LONGEST * tokens.shape[1] + _MORE_TOKENS):
            [logits] = self.decoder.run(
                ["logits"],
                {
                    "input_ids": output,
                    "encoder_hidden_states": states,
                    "encoder_attention_mask": mask,
                },
            )
            scores = logits[:, -1].astype(np.float64)
            if np.isnan(scores).any():
                raise ValueError("the network's logits are not all numbers")
            # Marian never says what it is padded with
            scores[:, pad] = -np.inf
            following = np.where(has_ended, pad, scores.argmax(axis=1))
            output = np.concatenate([output, following[:, None]], axis=1)
            has_ended |= following == end
            if has_ended.all():
                break
        return [
            [number for number in row[1:].tolist() if number not in (end, pad)] if ended else None
            for row, ended in zip(output, has_ended.tolist(), strict=True)
        ]

    def _text(self, numbers: Sequence[int]) -> str:
        pieces = [self.pieces[number] for number in numbers]
        spoken = [piece for piece in pieces if not piece.startswith(">>")]
        return str(self.target.decode(spoken)).strip()


def _batches_of_one_length(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Places of texts, never padded to each other's length: none depends on its neighbours."""
    by_length: dict[int, list[int]] = {}
    for place, numbers in enumerate(tokens):
        by_length.setdefault(len(numbers), []).append(place)
    for _, places in sorted(by_length.items()):
        for start in range(0, len(places), _BATCH):
            yield places[start : start + _BATCH]


@cache
def _load(folder: str, version: str) -> Marian:
    del version
    try:
        import onnxruntime
        import sentencepiece
    except ImportError as error:
        raise SetupError(
            f"translation by {folder} needs the package {error.name}, which is not installed:"
            f" {install_command('translation')}, {_WAY_OUT}"
        ) from error
    where = Path(folder)
    try:
        providers = onnxruntime.get_available_providers()
        encoder, decoder = (
            onnxruntime.InferenceSession(str(where / name), providers=providers)
            for name in ("encoder_model.onnx", "decoder_model.onnx")
        )
        source, target = (
            sentencepiece.SentencePieceProcessor(model_file=str(where / name))
            for name in ("source.spm", "target.spm")
        )
        numbers = json.loads((where / "vocab.json").read_text(encoding="utf-8"))
        pieces = {number: piece for piece, number in numbers.items()}
        config = json.loads((where / "config.json").read_text(encoding="utf-8"))
        for name in ("eos_token_id", "pad_token_id", "decoder_start_token_id"):
            if not isinstance(config[name], int):
                raise ValueError(f"config.json: {name}: expected a number")
        if not isinstance(numbers["<unk>"], int):
            raise ValueError("vocab.json: expected a number for each piece")
    except Exception as error:
        # both packages raise classes of their own
        raise SetupError(
            f"reality_check_translators: {folder} holds no Marian network that can be run"
            f" ({error}); name another, {_WAY_OUT}"
        ) from error
    return Marian(encoder, decoder, source, target, numbers, pieces, config)
