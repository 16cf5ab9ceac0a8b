"""Groups of a candidate: records that are asked in the same words and have different answers.

A group counts where all of its records are answered right, so they stand side by side: what each
shows and says, what is right of it, and what models answered.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter

import duckdb
import msgspec
from msgspec import Struct

from gainsay.browse.candidates import Candidate, Example, Picture
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.ports import port_of
from gainsay.foundation.queries import has_table, query, read, set_variables, sql_beside
from gainsay.report.visible_text import visible

# of a picture that is asked about in five languages there are five
_MOST_GROUPS = 3
_MOST_CHARACTERS = 2_000
# of a model that answered once
_ONLY_RUN = "default"


class Choice(Struct, frozen=True):
    """An answer that is offered."""

    letter: str = ""
    text: str = ""


class _Shown(Struct, frozen=True):
    """A picture of a prompt that has several."""

    image_id: str
    recipe_id: str | None = None


class Prompt(Struct, frozen=True):
    """What is asked of one example, under one condition."""

    example_id: str
    asked_example_id: str | None
    task: str
    condition: str
    question: str | None
    context: str | None
    choices: str | None
    shown_image_id: str | None
    recipe_id: str | None
    # of a prompt with several pictures all of them, as JSON
    shown_pictures: str | None

    def pictures(self) -> list[Picture]:
        """What is shown, in its order."""
        with suppress(msgspec.MsgspecError):
            shown = _read_shown(self.shown_pictures or "[]")
            if shown:
                return [Picture(self.example_id, one.image_id, one.recipe_id) for one in shown]
        if self.shown_image_id is None:
            return []
        return [Picture(self.example_id, self.shown_image_id, self.recipe_id)]

    def offered(self) -> list[Choice]:
        """The answers that are offered, in their order."""
        with suppress(msgspec.MsgspecError):
            return _read_choices(self.choices or "[]")
        return []


# made before threads serve pages, as `foundation.queries` says
_read_shown = msgspec.json.Decoder(list[_Shown]).decode
_read_choices = msgspec.json.Decoder(list[Choice]).decode


class Member(Struct, frozen=True):
    """A record of a group."""

    role: str
    condition: str
    prompt: Prompt
    # the text in parts, of which some are in no other record of the group
    text: list[tuple[str, bool]]
    right_answer: str | None


class Standing(Struct, frozen=True):
    """What a model answered to the records of a group, in their order; null where it did not."""

    model: str
    task: str
    answers: list["GroupAnswer | None"]

    @property
    def is_right(self) -> bool | None:
        """Whether all of them are right; null where some are not answered."""
        if None in self.answers:
            return None
        return all(answer.is_right for answer in self.answers if answer)


class Group(Struct, frozen=True):
    """Records that count together."""

    group_id: str
    members: list[Member]
    standings: list[Standing]


class GroupAnswer(Struct, frozen=True):
    """An answer by its first matcher."""

    example_id: str
    task: str
    condition: str
    model: str
    run: str
    prediction: str | None
    is_right: bool


class _Place(Struct, frozen=True):
    """A row of the port of groups."""

    group_id: str
    example_id: str
    condition: str
    role: str


def prompts_of(
    connection: duckdb.DuckDBPyConnection, candidate: Candidate, examples: Sequence[Example]
) -> list[Prompt]:
    """What is asked of these examples of a candidate; none where the warehouse has no prompts."""
    if not examples:
        return []
    with suppress(GainsayError):
        return _prompts(connection, candidate.benchmark, "asked_example_id", examples)
    return []


def _prompts(
    connection: duckdb.DuckDBPyConnection,
    benchmark: str,
    column: str,
    named: Sequence[Example | _Place],
) -> list[Prompt]:
    relation = port_of(connection, benchmark, "prompts")
    columns = connection.execute(f"select * from {relation} limit 0").description or []
    if "shown_pictures" not in {column[0] for column in columns}:
        relation = f"(select *, null as shown_pictures from {relation})"
    return read(
        connection,
        Prompt,
        relation,
        where=f"list_contains($ids, {column})",
        order="example_id, condition, task",
        parameters={"ids": sorted({one.example_id for one in named})},
    )


def groups_of(
    connection: duckdb.DuckDBPyConnection, candidate: Candidate, prompts: Sequence[Prompt]
) -> list[Group]:
    """The groups that hold some of these prompts, with their other records."""
    if not prompts:
        return []
    with suppress(GainsayError):
        relation = port_of(connection, candidate.benchmark, "groups")
        places = read(
            connection,
            _Place,
            relation,
            where=(
                "group_id in (\n"
                f"    select group_id from {relation} where list_contains($ids, example_id)\n)"
            ),
            order="group_id, condition desc, role, example_id",
            parameters={"ids": sorted({prompt.example_id for prompt in prompts})},
        )
        return list(_groups(connection, candidate.benchmark, places))
    return []


def _groups(
    connection: duckdb.DuckDBPyConnection, benchmark: str, places: Sequence[_Place]
) -> Iterator[Group]:
    by_group: dict[str, list[_Place]] = defaultdict(list)
    for place in places:
        by_group[place.group_id].append(place)
    shown = dict([*by_group.items()][:_MOST_GROUPS])
    listed = [place for members in shown.values() for place in members]
    if not listed:
        return
    prompts = _prompts(connection, benchmark, "example_id", listed)
    right = _right_answers(connection, benchmark, prompts)
    answers = _answers(connection, benchmark, listed)
    for group_id, members in shown.items():
        asked = {place: prompt for place in members if (prompt := _asked(place, prompts))}
        texts = {place: prompt.context or "" for place, prompt in asked.items()}
        yield Group(
            group_id,
            [
                Member(
                    place.role,
                    place.condition,
                    prompt,
                    _with_changes(texts[place], [texts[one] for one in texts if one != place]),
                    right.get(prompt.asked_example_id or ""),
                )
                for place, prompt in asked.items()
            ],
            list(_standings([*asked], answers)),
        )


def _asked(place: _Place, prompts: Sequence[Prompt]) -> Prompt | None:
    """The prompt of a record; with choices, where some task of it has them."""
    of = [prompt for prompt in prompts if prompt.example_id == place.example_id]
    of = [prompt for prompt in of if prompt.condition == place.condition] or of
    return max(of, key=lambda prompt: prompt.choices is not None, default=None)


def tokens(text: str) -> Iterator[str]:
    """Words and what stands between them, whose concatenation is the text."""
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or text[place].isalnum() != text[place - 1].isalnum():
            yield text[start:place]
            start = place


def _parts(text: str) -> list[str]:
    return [*tokens(visible(text, _MOST_CHARACTERS))]


def _with_changes(text: str, others: Sequence[str]) -> list[tuple[str, bool]]:
    """A text in parts, of which some are not in the others."""
    parts = _parts(text)
    is_changed = [False] * len(parts)
    for other in filter(None, others):
        matcher = SequenceMatcher(
            None, parts, [*tokens(visible(other, _MOST_CHARACTERS))], autojunk=False
        )
        for kind, start, end, _, _ in matcher.get_opcodes():
            if kind != "equal":
                is_changed[start:end] = [True] * (end - start)
    # where nearly all of it differs nothing stands out
    if sum(is_changed) > len(parts) / 2:
        is_changed = [False] * len(parts)
    marked = zip(is_changed, parts, strict=True)
    return [
        ("".join(part for _, part in run), changed)
        for changed, run in groupby(marked, key=itemgetter(0))
    ]


class _Right(Struct, frozen=True):
    example_id: str
    target: str | None


def _right_answers(
    connection: duckdb.DuckDBPyConnection, benchmark: str, prompts: Sequence[Prompt]
) -> dict[str, str]:
    """By example what is right of it: an answer, or to abstain."""
    rows = read(
        connection,
        _Right,
        port_of(connection, benchmark, "examples"),
        where="list_contains($ids, example_id)",
        parameters={"ids": [prompt.asked_example_id for prompt in prompts]},
    )
    return {row.example_id: row.target or "abstain" for row in rows}


def _answers(
    connection: duckdb.DuckDBPyConnection, benchmark: str, places: Sequence[_Place]
) -> list[GroupAnswer]:
    if not has_table(connection, "evaluation", "evaluation__candidate_answers"):
        return []
    set_variables(
        connection,
        {"benchmark": benchmark, "example_ids": sorted({place.example_id for place in places})},
    )
    return query(connection, sql_beside(__file__, "group_answers"), GroupAnswer)


def _standings(members: Sequence[_Place], answers: Sequence[GroupAnswer]) -> Iterator[Standing]:
    """A row a model and task; a record under another condition than its group's is not of it."""
    has_several_conditions = len({place.condition for place in members}) > 1
    by_run: dict[tuple[str, str, str], dict[_Place, GroupAnswer]] = defaultdict(dict)
    for place in members:
        for answer in answers:
            if answer.example_id == place.example_id and (
                not has_several_conditions or answer.condition == place.condition
            ):
                by_run[answer.model, answer.run, answer.task].setdefault(place, answer)
    for (model, run, task), of in sorted(by_run.items()):
        name = model if run == _ONLY_RUN else f"{model} ({run})"
        yield Standing(name, task, [of.get(place) for place in members])
