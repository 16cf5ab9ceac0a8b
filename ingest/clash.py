"""CLASH, the test set of contradicting captions, as its authors publish it (`clash_test.json`).

Popordanoska et al., CLASH, CVPR 2026 Findings.
"""

from collections.abc import Sequence

import pyarrow as pa
from msgspec import Struct

from gainsay.ingest.records import TEXT, Column, Int64, Layout, RecordArray, bigint, column, varchar


class Answers(Struct, gc=False):
    """The picture's answer, the contradicting caption's, and a plausible third."""

    image_only: str
    text_only: str
    irrelevant_but_plausible: str


class ChangedWords(Struct, gc=False):
    """The words of the original caption that were changed, and what they became."""

    original: str
    conflicting: str


class Sample(Struct, gc=False):
    """One picture with a caption that it contradicts, and a question about the contradiction.

    A few samples belong to two categories.
    """

    image_id: Int64
    original_caption: str
    conflicting_caption: str
    question: str
    change_type: str
    answers: Answers
    changed_words: ChangedWords
    category: str | list[str]


def _categories(samples: Sequence[Sample]) -> pa.Array:
    return pa.array(
        [[s.category] if isinstance(s.category, str) else s.category for s in samples],
        pa.list_(TEXT),
    )


def _text(name: str, path: str) -> Column:
    first, second = path.split(".")
    return column(name, "varchar", TEXT, lambda sample: getattr(getattr(sample, first), second))


SAMPLES = Layout(
    kind="clash_samples",
    main=RecordArray(
        name="samples",
        table="clash_samples",
        record=Sample,
        columns=(
            bigint("image_id"),
            varchar("original_caption"),
            varchar("conflicting_caption"),
            varchar("question"),
            varchar("change_type"),
            _text("image_only_answer", "answers.image_only"),
            _text("text_only_answer", "answers.text_only"),
            _text("distractor_answer", "answers.irrelevant_but_plausible"),
            _text("original_words", "changed_words.original"),
            _text("conflicting_words", "changed_words.conflicting"),
            Column("categories", "varchar[]", pa.list_(TEXT), _categories),
        ),
    ),
)
