"""Translations by machines: slots that are masked, and a Marian network of a few weights."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pyarrow as pa
import pytest
import sentencepiece
from onnx import TensorProto, helper, numpy_helper

from gainsay.python_udfs.errors import SetupError
from gainsay.python_udfs.text import translating
from gainsay.python_udfs.text.slots import mask_slots, restore_slots

TEXT = "Which image has more {object_category}, {count_a} or {count_b}?"
WORDS = ["which image has more", "answer a", "yes or no", "the same kind of object is shown"]
INT64, FLOAT = TensorProto.INT64, TensorProto.FLOAT


def test_slots_are_masked_in_their_order() -> None:
    assert mask_slots(pa.array([TEXT, "Same?", None])).to_pylist() == [
        "Which image has more [SLOT_0], [SLOT_1] or [SLOT_2]?", "Same?", None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("translated", "expected"),
    [
        ("¿Más [SLOT_0], [SLOT_2] o [SLOT_1]?",
         "¿Más {object_category}, {count_b} o {count_a}?"),
        ("多 [ slot_0 ]", "多 {object_category}"),
        ("多\uff3bSLOT_0\uff3d", "多{object_category}"),
        ("多\u3010Slot\uff3f0\u3011", "多{object_category}"),
        ("अधिक [SLOT _ \u0966]", "अधिक {object_category}"),
        ("عدد [SLOT 1]", "عدد {count_a}"),
        # these stay, and the gate of slots finds them
        ("¿SLOT?", "¿SLOT?"),
        ("[SLOT_3]", "[SLOT_3]"),
        ("[SLOT_]", "[SLOT_]"),
        (None, None),
    ],
)  # fmt: skip
def test_masks_are_restored_however_they_are_spelled(
    translated: str | None, expected: str | None
) -> None:
    texts = pa.array([translated], pa.string())
    assert restore_slots(texts, pa.array([TEXT])).to_pylist() == [expected]


def test_what_is_masked_is_restored() -> None:
    masked = mask_slots(pa.array([TEXT]))
    assert restore_slots(masked, pa.array([TEXT])).to_pylist() == [TEXT]


# a network that says again what it is told, word by word


def _save(
    path: Path, nodes: list[Any], inputs: dict[str, tuple[int, list[Any]]],
    outputs: dict[str, list[Any]], weights: dict[str, Any],
) -> None:  # fmt: skip
    graph = helper.make_graph(
        nodes, "network",
        [helper.make_tensor_value_info(name, *kind) for name, kind in inputs.items()],
        [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in outputs.items()],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def write_parrot(folder: Path, texts: Sequence[str] = WORDS, *, is_endless: bool = False) -> Path:
    """Marian's layout in small: the next token is the one at that place of the source.

    An endless one never says that it has ended.
    """
    folder.mkdir()
    corpus = folder / "words.txt"
    corpus.write_text("\n".join(texts))
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus), model_prefix=str(folder / "source"), vocab_size=150,
        hard_vocab_limit=False, minloglevel=2, character_coverage=1.0,
    )  # fmt: skip
    (folder / "source.model").rename(folder / "source.spm")
    (folder / "target.spm").write_bytes((folder / "source.spm").read_bytes())
    processor = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
    pieces = [processor.id_to_piece(number) for number in range(3, processor.get_piece_size())]
    names = ["</s>", "<unk>", ">>ara<<", *pieces, "<pad>"]
    (folder / "vocab.json").write_text(
        json.dumps({name: number for number, name in enumerate(names)})
    )
    pad = len(names) - 1
    (folder / "config.json").write_text(
        json.dumps({"eos_token_id": 0, "pad_token_id": pad, "decoder_start_token_id": pad})
    )
    _save(
        folder / "encoder_model.onnx",
        [
            helper.make_node("Cast", ["input_ids"], ["states"], to=FLOAT),
            helper.make_node("Unsqueeze", ["states", "last"], ["last_hidden_state"]),
        ],
        {"input_ids": (INT64, ["batch", "length"]), "attention_mask": (INT64, ["batch", "length"])},
        {"last_hidden_state": ["batch", "length", 1]},
        {"last": np.array([-1], np.int64)},
    )
    # the state at the place of the last token, as far from every token's number as it is
    _save(
        folder / "decoder_model.onnx",
        [
            helper.make_node("Shape", ["input_ids"], ["length"], start=1, end=2),
            helper.make_node("Shape", ["encoder_hidden_states"], ["end"], start=1, end=2),
            helper.make_node("Min", ["length", "end"], ["next"]),
            helper.make_node("Sub", ["next", "one"], ["place"]),
            helper.make_node("Gather", ["encoder_hidden_states", "place"], ["told"], axis=1),
            helper.make_node("Sub", ["told", "numbers"], ["difference"]),
            helper.make_node("Abs", ["difference"], ["distance"]),
            helper.make_node("Neg", ["distance"], ["nearness"]),
            helper.make_node("Add", ["nearness", "bias"], ["logits"]),
        ],
        {
            "input_ids": (INT64, ["batch", "said"]),
            "encoder_hidden_states": (FLOAT, ["batch", "length", 1]),
            "encoder_attention_mask": (INT64, ["batch", "length"]),
        },
        {"logits": ["batch", 1, len(names)]},
        {
            "one": np.array([1], np.int64),
            "numbers": np.arange(len(names), dtype=np.float32)[None, None],
            "bias": np.array([-1e9 * is_endless, *[0] * pad], np.float32)[None, None],
        },
    )  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def parrot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_parrot(tmp_path_factory.mktemp("networks") / "parrot")


def _translate(
    network: Path, folder: Path, texts: list[str | None], target: str | None = None
) -> list[dict[str, str | None] | None]:
    columns = (
        texts,
        [target] * len(texts),
        [str(network)] * len(texts),
        [str(folder)] * len(texts),
    )
    found = translating.translate(*(pa.array(column, pa.string()) for column in columns))
    return found.to_pylist()  # type: ignore[no-any-return]


def test_a_network_translates_in_batches_of_one_length(parrot: Path, tmp_path: Path) -> None:
    texts = ["which image has more", None, "answer a", "yes", "which image has more", "no"]
    found = _translate(parrot, tmp_path, texts, ">>ara<<")
    assert [row and row["text"] for row in found] == texts
    version = translating.network_version(str(parrot))
    assert [row and row["version"] for row in found] == [text and version for text in texts]


def test_a_translation_is_made_once(
    parrot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    class Counting:
        def translate(self, texts: list[str], target: str | None) -> list[str | None]:
            asked.extend(texts)
            return [f"{target} {text}" for text in texts]

    monkeypatch.setattr(translating, "_load", lambda *_: Counting())
    first = _translate(parrot, tmp_path, ["yes", "no", "yes"], ">>ara<<")
    again = _translate(parrot, tmp_path, ["yes", "more"], ">>ara<<")
    _translate(parrot, tmp_path, ["yes"], None)
    assert [row and row["text"] for row in first] == [">>ara<< yes", ">>ara<< no", ">>ara<< yes"]
    assert again[0] == first[0]
    assert asked == ["no", "yes", "more", "yes"]


def test_a_translation_without_end_is_an_error_of_its_row(tmp_path: Path) -> None:
    endless = write_parrot(tmp_path / "endless", is_endless=True)
    [found] = _translate(endless, tmp_path, ["yes"])
    assert found is not None
    assert (found["text"], found["error"]) == (None, "the translation does not end")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "vocab.json").unlink(), "vocab.json: No such file"),
        (lambda folder: (folder / "source.spm").write_bytes(b"no"), "no Marian network that can"),
    ],
)
def test_what_cannot_translate_says_how_to_go_on(tmp_path: Path, spoil: Any, message: str) -> None:
    network = write_parrot(tmp_path / "spoilt")
    spoil(network)
    with pytest.raises(SetupError, match=message) as error:
        _translate(network, tmp_path, ["yes"])
    assert "go on without it: --vars '{reality_check_translators: {}}'" in str(error.value)


def test_a_network_without_the_language_says_so(parrot: Path, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="has no language >>tlh<<"):
        _translate(parrot, tmp_path, ["yes"], ">>tlh<<")


def test_without_its_packages_it_says_what_to_install(
    parrot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    translating._load.cache_clear()
    with pytest.raises(SetupError, match=r"sentencepiece.*pip install .*\[translation\]'"):
        _translate(parrot, tmp_path, ["yes"])
