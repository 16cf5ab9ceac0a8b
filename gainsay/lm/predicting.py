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
from gainsay.foundation.queries import query
from gainsay.foundation.renderings import content_of_rendering, rendering_name, renderings_folder
from gainsay.lm.chat_client import ChatClient, UnaskedError
from gainsay.lm.confidence import Confidence, Said, say
from gainsay.lm.prompt_files import Choice, PicturePrompt, read_picture_prompt
from gainsay.lm.runner import Outcome, Tally, ask_all
from gainsay.lm.stated_actions import split_answer
from gainsay.lm.store import AnswerStore, open_store
from gainsay.project.answer_files import answer_files
from ingest.predictions import Mapping
from python_udfs.pixels.image_bytes import ImageUnreadableError, read_image, read_landed

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


class _PromptRow(Struct):
    """A row of `<benchmark>__prompts`, its example's split, and where its picture lies."""

    example_id: str
    example_key: str
    split: str | None
    question: str
    context: str | None
    choices: str | None
    instruction: str | None
    prompt_version: str | None
    shown_image_id: str | None
    recipe_id: str | None
    path: str | None
    archive: str | None
    sha256: str | None
    rendered_file: str | None


class _PictureRow(Struct):
    """A picture of an example that is shown behind its first, and where it lies."""

    example_id: str
    image_id: str | None
    recipe_id: str | None
    path: str | None
    archive: str | None
    sha256: str | None
    rendered_file: str | None


class _Column(Struct):
    column_name: str


class _Asking(Struct):
    task: str
    condition: str


@dataclass
class Asked:
    """What became of a call: how many were answered before, now, or not, and tokens.

    Of the answers, `n_cut` ended at the limit of tokens, and `n_unsure` have no confidence
    although one was asked for.
    """

    n_before: int = 0
    n_prompt_tokens: int = 0
    n_completion_tokens: int = 0
    n_cut: int = 0
    n_unsure: int = 0
    tally: Tally = field(default_factory=Tally)

    def cost(self, price_in: float, price_out: float) -> float:
        """What the tokens cost, at prices per million of them."""
        return (self.n_prompt_tokens * price_in + self.n_completion_tokens * price_out) / 1e6


class _Provenance(Struct):
    """What an answer in a file says of how it was asked for."""

    benchmark: str
    task: str
    condition: str
    model: str
    example_id: str
    prompt_version: str
    prompt_sha256: str
    request_sha256: str
    parameters: dict[str, Any]


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
    rows = query(
        connection,
        f"""
        select
            prompts.example_id,
            prompts.example_key,
            examples.split,
            prompts.question,
            prompts.context,
            prompts.choices,
            prompts.instruction,
            prompts.prompt_version,
            prompts.shown_image_id,
            prompts.recipe_id,
            files.path,
            files.archive,
            files.sha256,
            renderings.rendered_file
        from {port_of(connection, question.benchmark, "prompts")} as prompts
        left join ({_splits(connection, question.benchmark)}) as examples
            on prompts.asked_example_id = examples.example_id
        left join images.images__files as files
            on prompts.shown_image_id = files.source_image_id
        left join images.images__recipes as recipes
            on prompts.recipe_id = recipes.recipe_id
        left join images.images__renderings as renderings
            on recipes.render_key = renderings.render_key and renderings.error_kind is null
        where prompts.task = $task and prompts.condition = $condition
        order by prompts.example_id
        """,
        _PromptRow,
        {"task": question.task, "condition": question.condition},
    )
    rows = _of_split(connection, question, rows, split)
    _require_asked_once(question, rows)
    further = _further_pictures(connection, question)
    shown = [
        row
        for row in rows
        if question.only == "text"
        or all(
            picture.rendered_file if picture.recipe_id else picture.path
            for picture in (row, *further.get(row.example_id, ()))
        )
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
        _example(
            prompt,
            row,
            further.get(row.example_id, ()),
            n_of_key[row.example_key] > 1,
            question.only,
        )
        for row in shown
    ]


def _splits(connection: duckdb.DuckDBPyConnection, benchmark: str) -> str:
    """A query for the split of each example; questions of others have none."""
    try:
        return f"select example_id, split from {port_of(connection, benchmark, 'examples')}"
    except GainsayError:
        return "select null::varchar as example_id, null::varchar as split where false"


def _of_split(
    connection: duckdb.DuckDBPyConnection,
    question: Question,
    rows: list[_PromptRow],
    split: str | None,
) -> list[_PromptRow]:
    """The rows of a split, or of all that are not held back."""
    if split is None:
        return [row for row in rows if row.split != _HELD_BACK]
    known = {row.split for row in rows if row.split is not None}
    roles = connection.execute(
        "select split from vocabulary.split_roles where role = ?", [split]
    ).fetchall()
    names = {split} & known or known & {name for (name,) in roles}
    if not names:
        raise GainsayError(
            f"{question.benchmark}: no split {split} is asked as {question.task} under"
            f" {question.condition}; its splits are {', '.join(sorted(known)) or 'none'}"
        )
    return [row for row in rows if row.split in names]


def _require_asked_once(question: Question, rows: Sequence[_PromptRow]) -> None:
    """Raise `GainsayError` where a picture has several files, and its examples were asked twice."""
    twice = [example_id for example_id, n in Counter(r.example_id for r in rows).items() if n > 1]
    if twice:
        raise GainsayError(
            f"{question.benchmark}: {len(twice):,} examples would be asked more than once, such as"
            f" {min(twice)}; run `gainsay build` so that each picture has one file"
        )


def _further_pictures(
    connection: duckdb.DuckDBPyConnection, question: Question
) -> dict[str, list[_PictureRow]]:
    """What an example shows behind its first picture, in order, where its benchmark says so."""
    port = port_of(connection, question.benchmark, "prompts")
    columns = query(connection, f"select column_name from (describe {port})", _Column)
    if "shown_pictures" not in {column.column_name for column in columns}:
        return {}
    rows = query(
        connection,
        f"""
        with listed_pictures as (
            select
                example_id,
                unnest(pictures) as picture,
                generate_subscripts(pictures, 1) as place
            from (
                select
                    example_id,
                    from_json(
                        shown_pictures, '[{{"image_id": "VARCHAR", "recipe_id": "VARCHAR"}}]'
                    ) as pictures
                from {port}
                where task = $task and condition = $condition
            )
        )
        select
            listed_pictures.example_id,
            listed_pictures.picture.image_id as image_id,
            listed_pictures.picture.recipe_id as recipe_id,
            files.path,
            files.archive,
            files.sha256,
            renderings.rendered_file
        from listed_pictures
        left join images.images__files as files
            on listed_pictures.picture.image_id = files.source_image_id
        left join images.images__recipes as recipes
            on listed_pictures.picture.recipe_id = recipes.recipe_id
        left join images.images__renderings as renderings
            on recipes.render_key = renderings.render_key and renderings.error_kind is null
        where listed_pictures.place > 1
        order by listed_pictures.example_id, listed_pictures.place
        """,
        _PictureRow,
        {"task": question.task, "condition": question.condition},
    )
    found: dict[str, list[_PictureRow]] = {}
    for row in rows:
        found.setdefault(row.example_id, []).append(row)
    return found


def _example(
    prompt: PicturePrompt,
    row: _PromptRow,
    further: Sequence[_PictureRow],
    is_key_shared: bool,
    only: Only | None,
) -> Example:
    choices: Sequence[Choice] = msgspec.json.decode(row.choices or "[]", type=list[Choice])
    first: PictureFile | None = None
    if only == "text":
        further = ()
    else:
        first = _file(row)
    pictures = [row.recipe_id or str(row.shown_image_id)]
    pictures += [picture.recipe_id or str(picture.image_id) for picture in further]
    return Example(
        row.example_id,
        row.example_key,
        prompt.text(
            row.question, None if only == "picture" else row.context, choices, row.instruction
        ),
        first.path if first else None,
        first.archive if first else None,
        tuple(_file(picture) for picture in further),
        row.question if is_key_shared else None,
        tuple(choices),
        "" if only == "text" else " ".join(pictures),
        *_version_and_hash(prompt, row, only),
        first.sha256 if first else None,
    )


def _file(picture: _PromptRow | _PictureRow) -> PictureFile:
    """The file of a picture, of its rendering where it has a recipe."""
    if picture.recipe_id:
        name = str(picture.rendered_file)
        return PictureFile(
            rendering_name(renderings_folder(), name), None, content_of_rendering(name)
        )
    return PictureFile(str(picture.path), picture.archive, picture.sha256)


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

    def ask(example: Example) -> Said:
        if example.path is None:
            return say(client, example.prompt, None, confidence)
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
        return say(client, example.prompt, image, confidence, further_images)

    def keep(outcomes: Sequence[Outcome[Example, Said]]) -> None:
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
    mapping: Mapping, prompt: PicturePrompt, example: Example, said: Said, provenance: _Provenance
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
    record["asked"] = provenance
    return record
