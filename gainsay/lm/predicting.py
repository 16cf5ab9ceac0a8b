"""Asking a model every example of a benchmark, and keeping what it answers in a file.

What is asked stands in `<benchmark>__prompts`, which every benchmark publishes; its pictures are
photographs as they were landed, or renderings.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

import duckdb
import msgspec
from msgspec import Struct

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import printable
from gainsay.foundation.ports import port_of
from gainsay.foundation.progress import Advance
from gainsay.foundation.queries import query, read
from gainsay.foundation.renderings import (
    content_of_rendering,
    rendered_files,
    rendering_name,
    renderings_folder,
)
from gainsay.ingest.predictions import Mapping
from gainsay.ingest.withdrawals import withdrawn_ids
from gainsay.lm.chat_client import ChatClient, UnaskedError
from gainsay.lm.confidence import Confidence, ModelAnswer, ask_with_confidence
from gainsay.lm.prompt_files import Choice, PicturePrompt, read_picture_prompt
from gainsay.lm.runner import Outcome, Tally, ask_all
from gainsay.lm.stated_actions import split_answer
from gainsay.lm.store import AnswerStore, open_store
from gainsay.project.answer_files import answer_files
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, read_image, read_landed

_LARGEST_IMAGE = 64 * 2**20
# kinds of choices as published answers name them
_MODALITIES = {"distractor": "irrelevant_but_plausible", "conflict": "contradiction"}
# where a benchmark is asked under several conditions, the one that it is about
_USUAL_CONDITIONS = ("default", "conflicting")
# examples that are asked only where their split is named
_HELD_BACK = "held_back"
# one side alone of what an example shows
Only = Literal["text", "picture"]


@dataclass(frozen=True)
class Question:
    """A benchmark, and how it is asked: with both sides of its examples, or `only` one of them."""

    benchmark: str
    task: str
    condition: str
    only: Only | None = None

    @property
    def answered_condition(self) -> str:
        """The condition that answers land under: of one side alone they have one of their own."""
        if self.only is None:
            return self.condition
        of_whole = "" if self.condition == "default" else f"{self.condition}_"
        return f"{of_whole}{self.only}_only"


class PictureFile(NamedTuple):
    """Where the bytes of a picture lie, and which they are, where that is known."""

    path: str
    archive: str | None = None
    sha256: str | None = None


@dataclass(frozen=True)
class Example:
    """What is asked: the example, the prompt, the picture, and the choices that were offered.

    `key` names it in files of answers, and so does `question` where two examples have one key.
    """

    example_id: str
    key: str
    prompt: str
    # null where no picture is shown
    path: str | None
    archive: str | None = None
    # of a picture that is shown behind the first
    further_files: tuple[PictureFile, ...] = ()
    question: str | None = None
    choices: tuple[Choice, ...] = ()
    picture: str = ""
    prompt_version: str = ""
    prompt_sha256: str = ""
    sha256: str | None = None


class _PictureKey(Struct, frozen=True):
    """A picture that is shown: a photograph, or what a recipe makes of one."""

    image_id: str | None = None
    recipe_id: str | None = None


class _PromptRow(Struct):
    """A row of `<benchmark>__prompts`."""

    example_id: str
    example_key: str
    asked_example_id: str | None
    question: str
    context: str | None
    choices: str | None
    instruction: str | None
    prompt_version: str | None
    shown_image_id: str | None
    recipe_id: str | None
    # of benchmarks that show several pictures at once: all of them in order, as JSON
    shown_pictures: str | None = None

    @property
    def pictures(self) -> list[_PictureKey]:
        """What is shown, in order; the first is the one that the row itself names."""
        first = _PictureKey(self.shown_image_id, self.recipe_id)
        listed = msgspec.json.decode(self.shown_pictures or "[]", type=list[_PictureKey])
        return [first, *listed[1:]]


class _SplitRow(Struct):
    example_id: str
    split: str | None


class _Photograph(Struct):
    source_image_id: str
    path: str
    archive: str | None
    sha256: str | None


@dataclass(frozen=True)
class _Pictures:
    """The files of photographs, of which one may wrongly have several, and of renderings."""

    photographs: dict[str, list[PictureFile]]
    renderings: dict[str, PictureFile]
    withdrawn: frozenset[str]

    def files(self, picture: _PictureKey) -> list[PictureFile]:
        """Where a picture lies; nowhere where it is not landed, not rendered, or taken down."""
        if picture.image_id in self.withdrawn:
            return []
        if picture.recipe_id:
            return (
                [self.renderings[picture.recipe_id]] if picture.recipe_id in self.renderings else []
            )
        return self.photographs.get(picture.image_id or "", [])


class _Asking(Struct):
    task: str
    condition: str


@dataclass
class Asked:
    """What became of a call: how many were answered before, now, or not, and tokens.

    Of the answers, `n_cut` ended at the limit of tokens, and `n_unsure` have no confidence
    although one was asked for. `other_models` are those that the server named as answering in
    place of the model that was asked, with their numbers of answers.
    """

    n_before: int = 0
    n_prompt_tokens: int = 0
    n_completion_tokens: int = 0
    n_cut: int = 0
    n_unsure: int = 0
    other_models: Counter[str] = field(default_factory=Counter)
    tally: Tally = field(default_factory=Tally)

    def cost(self, price_in: float, price_out: float) -> float:
        """What the tokens cost, at prices per million of them."""
        return (self.n_prompt_tokens * price_in + self.n_completion_tokens * price_out) / 1e6


class _Provenance(Struct, omit_defaults=True):
    """What an answer in a file says of how it was asked for.

    `answered_model` is there where the server names another model than the one that was asked.
    """

    benchmark: str
    task: str
    condition: str
    model: str
    example_id: str
    prompt_version: str
    prompt_sha256: str
    request_sha256: str
    parameters: dict[str, Any]
    answered_model: str | None = None


class _Line(Struct):
    asked: _Provenance


def resolve_question(
    connection: duckdb.DuckDBPyConnection,
    benchmark: str,
    task: str,
    condition: str | None,
    only: Only | None = None,
) -> Question:
    """The question that is meant; without a condition the only or the usual one.

    Raises `GainsayError` with the names that exist for one that does not.
    """
    port = port_of(connection, benchmark, "prompts")
    conditions: dict[str, list[str]] = {}
    for asking in query(
        connection, f"select distinct task, condition from {port} order by all", _Asking
    ):
        conditions.setdefault(asking.task, []).append(asking.condition)
    if task not in conditions:
        names = ", ".join(conditions) or "no task: its models are empty, land its sources first"
        raise GainsayError(f"{benchmark}: it is not asked as {task}; it has {names}")
    known = conditions[task]
    usual = [name for name in _USUAL_CONDITIONS if name in known] + known[: len(known) == 1]
    found = condition or next(iter(usual), None)
    if found not in known:
        raise GainsayError(f"{benchmark}, {task}: no condition {found}; it has {', '.join(known)}")
    return Question(benchmark, task, found, only)


def examples(
    connection: duckdb.DuckDBPyConnection,
    question: Question,
    model: str,
    split: str | None = None,
) -> list[Example]:
    """The examples of a benchmark whose picture is landed, or rendered, as a model is asked them.

    All but those held back, or those of a split, which is named by itself or else by its role, such
    as `test` for all test splits. Where the text alone is asked no picture is needed, and where the
    picture alone is, the text beside it is left out; the words of the prompt stay. Raises
    `GainsayError` where the benchmark is not built, has no such split, nothing of it is asked under
    the condition, or no picture of it is there.
    """
    port = port_of(connection, question.benchmark, "prompts")
    rows = query(
        connection,
        f"select * from {port} where task = $task and condition = $condition order by example_id",
        _PromptRow,
        {"task": question.task, "condition": question.condition},
    )
    rows = _of_split(connection, question, rows, split)
    pictures = _pictures(connection, rows)
    _require_asked_once(question, rows, pictures)
    shown = [
        row
        for row in rows
        if question.only == "text" or all(pictures.files(picture) for picture in row.pictures)
    ]
    if not shown:
        where = question.benchmark if split is None else f"{question.benchmark}, split {split}"
        raise GainsayError(
            f"{where}: {len(rows):,} examples are asked as {question.task} under"
            f" {question.condition}, and the picture of none is here; land pictures with"
            " `gainsay land-images`, or render them with `gainsay build`"
        )
    if question.only == "picture" and all(row.context is None for row in shown):
        raise GainsayError(
            f"{question.benchmark}: no text stands beside its pictures, so that its usual condition"
            " is the picture alone; --only text asks without it"
        )
    prompt = read_picture_prompt(question.benchmark, question.task, model)
    n_of_key = Counter(row.example_key for row in shown)
    return [
        _example(prompt, row, pictures, n_of_key[row.example_key] > 1, question.only)
        for row in shown
    ]


def _splits(connection: duckdb.DuckDBPyConnection, benchmark: str) -> dict[str, str | None]:
    """The split of each example; questions of others have none."""
    try:
        port = port_of(connection, benchmark, "examples")
    except GainsayError:
        return {}
    return {row.example_id: row.split for row in read(connection, _SplitRow, port)}


def _of_split(
    connection: duckdb.DuckDBPyConnection,
    question: Question,
    rows: list[_PromptRow],
    split: str | None,
) -> list[_PromptRow]:
    """The rows of a split, or of all that are not held back."""
    splits = _splits(connection, question.benchmark)
    of_rows = [splits.get(row.asked_example_id or "") for row in rows]
    if split is None:
        return [row for row, of in zip(rows, of_rows, strict=True) if of != _HELD_BACK]
    known = {of for of in of_rows if of is not None}
    roles = connection.execute(
        "select split from vocabulary.split_roles where role = ?", [split]
    ).fetchall()
    names = {split} & known or known & {name for (name,) in roles}
    if not names:
        raise GainsayError(
            f"{question.benchmark}: no split {split} is asked as {question.task} under"
            f" {question.condition}; its splits are {', '.join(sorted(known)) or 'none'}"
        )
    return [row for row, of in zip(rows, of_rows, strict=True) if of in names]


def _pictures(connection: duckdb.DuckDBPyConnection, rows: Sequence[_PromptRow]) -> _Pictures:
    """Where the pictures lie that these prompts show."""
    shown = [picture for row in rows for picture in row.pictures]
    photographs: dict[str, list[PictureFile]] = {}
    for found in read(
        connection,
        _Photograph,
        "images.images__files",
        where="source_image_id in (select unnest($image_ids))",
        parameters={"image_ids": sorted({one.image_id for one in shown if one.image_id})},
    ):
        file = PictureFile(found.path, found.archive, found.sha256)
        photographs.setdefault(found.source_image_id, []).append(file)
    folder = renderings_folder()
    names = rendered_files(connection, {one.recipe_id for one in shown if one.recipe_id})
    renderings = {
        recipe_id: PictureFile(rendering_name(folder, name), None, content_of_rendering(name))
        for recipe_id, name in names.items()
    }
    return _Pictures(photographs, renderings, withdrawn_ids(connection))


def _require_asked_once(
    question: Question, rows: Sequence[_PromptRow], pictures: _Pictures
) -> None:
    """Raise `GainsayError` where a picture has several files, and its examples were asked twice."""
    n_of_example: Counter[str] = Counter()
    for row in rows:
        n_of_example[row.example_id] += max(1, len(pictures.files(row.pictures[0])))
    twice = [example_id for example_id, n in n_of_example.items() if n > 1]
    if twice:
        raise GainsayError(
            f"{question.benchmark}: {len(twice):,} examples would be asked more than once, such as"
            f" {min(twice)}; run `gainsay build` so that each picture has one file"
        )


def _example(
    prompt: PicturePrompt,
    row: _PromptRow,
    pictures: _Pictures,
    is_key_shared: bool,
    only: Only | None,
) -> Example:
    choices: Sequence[Choice] = msgspec.json.decode(row.choices or "[]", type=list[Choice])
    shown = [] if only == "text" else row.pictures
    files = [pictures.files(picture)[0] for picture in shown]
    first = files[0] if files else None
    return Example(
        row.example_id,
        row.example_key,
        prompt.text(
            row.question, None if only == "picture" else row.context, choices, row.instruction
        ),
        first.path if first else None,
        first.archive if first else None,
        tuple(files[1:]),
        row.question if is_key_shared else None,
        tuple(choices),
        " ".join(picture.recipe_id or str(picture.image_id) for picture in shown),
        *_version_and_hash(prompt, row, only),
        first.sha256 if first else None,
    )


def _version_and_hash(prompt: PicturePrompt, row: _PromptRow, only: Only | None) -> tuple[str, str]:
    """Of the prompt's file, the benchmark's own instruction, and the side that is left."""
    version, said = prompt.full_version, [prompt.sha256]
    if prompt.instruction is None and row.instruction is not None:
        version += f"+{row.prompt_version}"
        said.append(row.instruction)
    if only:
        version += f"+{only}_only"
        said.append(f"{only} only")
    if len(said) == 1:
        return version, prompt.sha256
    return version, hashlib.sha256("\n".join(said).encode()).hexdigest()


def predict(
    client: ChatClient,
    question: Question,
    asked_for: Sequence[Example],
    output: Path,
    *,
    concurrency: int,
    advance: Advance,
    report: Callable[[str], None],
    confidence: Confidence | None = None,
) -> Asked:
    """Ask what `output` holds no answer to yet; every answer is kept as soon as it comes.

    Each line says which benchmark, task, condition, model, prompt and parameters it answers.
    With `confidence` it says how sure the model is. What fails stays open for the next call.

    What the file holds in the end is counted against what was asked. Raises `GainsayError` when
    `output` cannot be read or written, is held by another process, or holds answers of another
    model, to other questions, or others than were given.
    """
    mapping = answer_files(question.benchmark).layout().mappings[0]
    prompt = read_picture_prompt(question.benchmark, question.task, client.model)
    parameters = client.parameters | ({"confidence": confidence} if confidence else {})
    provenances = {
        example.example_id: _provenance(client.model, question, example, parameters)
        for example in asked_for
    }
    asked = Asked()

    def ask(example: Example) -> ModelAnswer:
        if example.path is None:
            return ask_with_confidence(client, example.prompt, None, confidence)
        try:
            image, *further_images = map(
                _picture,
                (
                    PictureFile(example.path, example.archive, example.sha256),
                    *example.further_files,
                ),
            )
        except GainsayError as error:
            raise UnaskedError(str(error)) from error
        return ask_with_confidence(client, example.prompt, image, confidence, further_images)

    def keep(outcomes: Sequence[Outcome[Example, ModelAnswer]]) -> None:
        answered = [(o.job, o.reply) for o in outcomes if o.reply is not None]
        store.append(
            _record(mapping, prompt, example, said, provenances[example.example_id])
            for example, said in answered
        )
        for _, said in answered:
            asked.n_prompt_tokens += said.n_prompt_tokens
            asked.n_completion_tokens += said.n_completion_tokens
            asked.n_cut += said.finish_reason == "length"
            asked.n_unsure += confidence is not None and said.confidence is None
            if other := _other_model(client.model, said):
                asked.other_models[other] += 1

    with open_store(output, mapping.id_column) as store:
        done = _answered(store, client.model, question, provenances)
        asked.n_before = len(done & provenances.keys())
        asked.tally = ask_all(
            (example for example in asked_for if example.example_id not in done),
            ask,
            keep,
            concurrency=concurrency,
            stop=client.stop,
            advance=advance,
            report=report,
        )
        written = _answered(store, client.model, question, provenances) & provenances.keys()
    if len(written) != asked.n_before + asked.tally.n_answered:
        raise GainsayError(
            f"{output}: holds {len(written):,} of these answers where"
            f" {asked.n_before + asked.tally.n_answered:,} were given; name another file"
        )
    return asked


def _picture(file: PictureFile) -> bytes:
    """The bytes of a picture, those that were measured. Raises `GainsayError`."""
    path, archive, sha256 = file
    try:
        if sha256 is None:
            return read_image(path, archive, _LARGEST_IMAGE)
        return read_landed(path, archive, _LARGEST_IMAGE, sha256)
    except ImageUnreadableError as error:
        inside = f" of {archive}" if archive else ""
        raise GainsayError(
            f"{printable(path)}{inside}: the picture cannot be read: {error}; land the pictures"
            " again with `gainsay land-images`, or render them again"
        ) from error


def _provenance(
    model: str, question: Question, example: Example, parameters: dict[str, Any]
) -> _Provenance:
    request = json.dumps([model, example.example_id, example.prompt, example.picture, parameters])
    return _Provenance(
        question.benchmark,
        question.task,
        question.answered_condition,
        model,
        example.example_id,
        example.prompt_version,
        example.prompt_sha256,
        hashlib.sha256(request.encode()).hexdigest(),
        parameters,
    )


def _answered(
    store: AnswerStore, model: str, question: Question, provenances: dict[str, _Provenance]
) -> set[str]:
    """The examples that a former call got answers to."""
    wanted = (question.benchmark, question.task, question.answered_condition, model)
    done = set()
    for line in store.lines(_Line):
        found = line.asked
        if (found.benchmark, found.task, found.condition, found.model) != wanted:
            raise GainsayError(
                f"{store.path}: holds an answer of {found.model} to {found.benchmark},"
                f" {found.task}, {found.condition}; expected {model} to {question.benchmark},"
                f" {question.task}, {question.answered_condition}; name another file"
            )
        now = provenances.get(found.example_id)
        if now and now.request_sha256 != found.request_sha256:
            raise GainsayError(
                f"{store.path}: holds an answer to {found.example_id} as it was asked before its"
                " prompt, picture or parameters changed; name another file"
            )
        done.add(found.example_id)
    return done


def _record(
    mapping: Mapping,
    prompt: PicturePrompt,
    example: Example,
    said: ModelAnswer,
    provenance: _Provenance,
) -> dict[str, Any]:
    """An answer as `gainsay land-predictions` reads it."""
    # official files of VQA have numbers for ids
    is_number = mapping.id_column == "question_id" and example.key.isdecimal()
    action, answer = split_answer(prompt, said.text)
    record: dict[str, Any] = {
        mapping.id_column: int(example.key) if is_number else example.key,
        mapping.answer_column: answer,
    }
    if prompt.actions:
        record |= {"stated_action": action, "said": said.text}
    if example.question is not None:
        record["question"] = example.question
    # the choices of other benchmarks are found by the example
    if {"image_only", "text_only"} <= {choice.kind for choice in example.choices}:
        record["modality_answers"] = {
            _MODALITIES.get(choice.kind, choice.kind): {
                "choice": choice.letter,
                "answer": choice.text,
            }
            for choice in example.choices
        }
    if said.token_logprobs:
        record["token_logprobs"] = said.token_logprobs
    if said.confidence_kind:
        record |= {"confidence": said.confidence, "confidence_kind": said.confidence_kind}
    if said.p_yes is not None:
        record |= {"p_yes": said.p_yes, "p_no": said.p_no}
    if said.finish_reason not in (None, "stop"):
        record["finish_reason"] = said.finish_reason
    record["asked"] = msgspec.structs.replace(
        provenance, answered_model=_other_model(provenance.model, said)
    )
    return record


def _other_model(model: str, said: ModelAnswer) -> str | None:
    """What the server says that answered, where it is not the model that was asked."""
    return said.model if said.model != model else None
