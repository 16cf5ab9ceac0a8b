"""What `gainsay browse` reads: candidates by facets, and all that is known of one of them.

Every view is one SQL statement, which the page shows as it was run: no parameters, so that it can
be copied into any client.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import duckdb
import msgspec
from msgspec import Struct

from gainsay.foundation.ports import port_of
from gainsay.foundation.queries import has_table, literal, query, read, set_variables, sql_beside
from gainsay.foundation.renderings import rendered_files

FACETS: Final = (
    "benchmark", "screening", "stage", "reason", "picture", "judged", "family", "category",
    "operator", "object", "split", "source",
)  # fmt: skip
TABLES: Final = ("audit__candidates", "evaluation__candidate_answers")
_CANDIDATES, _ANSWERS = "audit.audit__candidates", "evaluation.evaluation__candidate_answers"
_MEASURED = "audit.audit__candidate_measures"
# what is measured of candidates, each a field of an address; the last of what models say
CONFIDENCE: Final = "confidence"
MEASURES: Final = (
    "severity", "covered_share", "object_area", "changed_area", "donor_similarity", CONFIDENCE,
)  # fmt: skip
_NUMBER = r"-?[0-9]{1,20}(?:\.[0-9]{1,20})?(?:e-?[0-9]{1,3})?"
# from, to, or both: `2..4`, `..0.5`
RANGE: Final = re.compile(rf"(?=.*[0-9])({_NUMBER})?\.\.({_NUMBER})?")
_KEY: Final = ("benchmark", "screening", "candidate_id")
# the texts of a candidate in which words are searched, beside the captions of its picture
_SEARCHED: Final = (
    "candidate_id", "question", "answer", "gold_answer", "array_to_string(texts_seen, ' ')",
)  # fmt: skip
_MOST_WORDS: Final = 8
# what a page is sorted by: its name, and what is compared
_ORDERS: Final = {
    # whoever opens the page of a corpus with few photographs sees those
    "picture": ("case picture when 'landed' then '0' else '1' end", *_KEY),
    "id": _KEY,
    "question": ("lower(coalesce(question, ''))", *_KEY),
    "answer": ("lower(coalesce(answer, ''))", *_KEY),
    "draw": ("md5('browse:' || candidate_id)", *_KEY),
    # whose gold answer models contradict most; what nobody answered comes last
    "suspect": (
        f"coalesce((select -max(answers.suspicion) from {_ANSWERS} as answers"
        " where answers.benchmark = audit__candidates.benchmark"
        " and answers.candidate_id = audit__candidates.candidate_id), 1000000)",
        *_KEY,
    ),
}
# of orders whose first part is computed, the column that is alike where that part is
_TIED: Final = {"draw": "candidate_id"}
ORDERS: Final = {name: ", ".join(parts) for name, parts in _ORDERS.items()}
PAGE_SIZE: Final = 50
# rows from which on a page is asked for by another order or more words, as no reader turns that far
MOST_PAGES: Final = 200
_MOST_NEIGHBOURS: Final = 12
N_BARS: Final = 10


class Filters(Struct, frozen=True, kw_only=True):
    """Which candidates a view shows, and in which order; each field is one of its address."""

    q: str = ""
    benchmark: str = ""
    screening: str = ""
    stage: str = ""
    reason: str = ""
    family: str = ""
    category: str = ""
    split: str = ""
    source: str = ""
    picture: str = ""
    judged: str = ""
    operator: str = ""
    object: str = ""
    # what all models that answered make of an example, or one that is right and one that is wrong
    models: str = ""
    right: str = ""
    wrong: str = ""
    # which answers those are: to one task, under one condition, of a slice such as `split=test`
    task: str = ""
    condition: str = ""
    slice: str = ""
    # ranges of what is measured, such as `2..4`
    severity: str = ""
    covered_share: str = ""
    object_area: str = ""
    changed_area: str = ""
    donor_similarity: str = ""
    confidence: str = ""
    sort: str = "picture"
    page: int = 1

    def chosen(self) -> dict[str, str]:
        """The facets that are set."""
        return {name: getattr(self, name) for name in FACETS if getattr(self, name)}

    def ranges(self) -> dict[str, str]:
        """The ranges of what is measured that are set."""
        return {name: getattr(self, name) for name in MEASURES if getattr(self, name)}

    def address(self, **changes: Any) -> dict[str, str]:
        """The fields of the address of this view, but for `changes`; those that say nothing go."""
        fields = msgspec.structs.asdict(self) | {"page": 1} | changes
        plain = msgspec.structs.asdict(Filters())
        return {name: str(value) for name, value in fields.items() if value != plain[name]}


class Candidate(Struct, frozen=True):
    """A row of `audit__candidates`."""

    benchmark: str
    screening: str
    candidate_id: str
    stage: str
    reason: str
    family: str | None
    category: str | None
    split: str | None
    source: str | None
    operator: str | None
    picture: str
    source_image_id: str | None
    image_file: str | None
    question: str | None
    answer: str | None
    gold_answer: str | None
    evidence_words: list[str] | None
    texts_seen: list[str] | None
    drop_detail: str | None
    stages_not_asked: str | None
    judged: str | None
    is_retained: bool

    def was_asked(self, stage: str) -> bool:
        """Whether somebody was asked at a stage, where people or judges decide."""
        return stage not in (self.stages_not_asked or "").split(",")


class Found(Struct, frozen=True):
    """A page of candidates, how many there are, and their numbers by facet, the largest first."""

    n: int
    candidates: list[Candidate]
    facets: dict[str, list[tuple[str | None, int]]]
    # how many candidates models agree or disagree about, and who answered any
    standings: list[tuple[str, int]] = []
    models: list[str] = []


class Bar(Struct, frozen=True):
    """A bar of a histogram: candidates of the view with a value from `low` to `high`."""

    measure: str
    place: int
    low: float
    high: float
    n: int

    @property
    def range(self) -> str:
        """What it is of, as an address says it."""
        return f"{number(self.low)}..{number(self.high)}"


class Stage(Struct, frozen=True):
    """A stage of a screening, in its order."""

    stage_order: int
    stage: str
    reason: str
    description: str


class Example(Struct, frozen=True):
    """An example that a candidate became, with the pictures it shows."""

    example_id: str
    split: str | None
    operator: str | None
    text_input: str | None
    question: str | None
    gold_answer: str | None
    target: str | None
    shown_image_id: str | None
    recipe_id: str | None


class Picture(Struct, frozen=True):
    """One of the pictures that an example shows: an image, or what a recipe makes of it."""

    example_id: str
    shown_image_id: str
    recipe_id: str | None


class Answer(Struct, frozen=True):
    """What a model answered to an example, and how it was scored."""

    example_id: str
    task: str
    condition: str
    model: str
    matcher: str
    prediction: str | None
    credit: float | None
    # whether another model was scored otherwise on the same; half of the credit is right
    is_at_odds: bool


class Said(Struct, frozen=True):
    """A reader's answer to one question about a candidate."""

    reader: str
    question: str
    answer: str
    note: str | None
    is_ruling: bool
    said_on: str


class _Caption(Struct):
    caption: str

    @property
    def said(self) -> str:
        return self.caption


class _Text(_Caption):
    """A caption of `images__texts`; others than COCO's say whose they are."""

    caption_origin: str

    @property
    def said(self) -> str:
        if self.caption_origin == "coco":
            return self.caption
        return f"{self.caption} ({self.caption_origin})"


class _Facet(Struct):
    benchmark: str | None
    screening: str | None
    stage: str | None
    reason: str | None
    family: str | None
    category: str | None
    split: str | None
    source: str | None
    picture: str | None
    judged: str | None
    operator: str | None
    object: str | None
    facet: int
    n: int


class _Standing(Struct):
    standing: str
    n: int


class _FoundRow(Struct):
    candidates: list[Candidate] | None
    facets: list[_Facet] | None
    standings: list[_Standing] | None = None
    models: list[str] | None = None


def _key_is(candidate: Candidate) -> str:
    """What the row of a candidate alone fulfils, as SQL."""
    return " and ".join(f"{name} = {literal(getattr(candidate, name))}" for name in _KEY)


def conditions(filters: Filters) -> str:
    """What a candidate of the view fulfils, as SQL; every word stands in a text of it."""
    parts = [f"{name} = {literal(value)}" for name, value in filters.chosen().items()]
    for word in filters.q.lower().split()[:_MOST_WORDS]:
        # column by column: to join the texts of a row first takes three times as long
        found = "\n        or ".join(_has_word(f"lower({text})", word) for text in _SEARCHED)
        parts.append(
            f"({found}\n        or source_image_id in (\n"
            "            select source_image_id from images.images__captions\n"
            f"            where {_has_word('lower(caption)', word)}\n        ))"
        )
    return "\n    and ".join([*parts, *_measured(filters), *_answered(filters)]) or "true"


def number(value: float) -> str:
    """A number as an address has it: whole ones without a point, all others to the last digit."""
    return str(int(value)) if value.is_integer() else repr(value)


def number_in_short(value: float) -> str:
    """A number as people read it."""
    return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def _measured(filters: Filters) -> Iterator[str]:
    """What is measured within the ranges of a view, as conditions of a candidate."""
    for name, said in filters.ranges().items():
        found = RANGE.fullmatch(said)
        ends = zip((">=", "<="), found.groups() if found else (), strict=False)
        within = " and ".join(f"value {sign} {end}" for sign, end in ends if end) or "false"
        if name == CONFIDENCE:
            rows = f"({_confidences(filters)}\n        )"
        else:
            rows = f"{_MEASURED}"
            within = f"measure = {literal(name)} and {within}"
        yield (
            "(benchmark, candidate_id) in (\n"
            f"        select (benchmark, candidate_id) from {rows}\n"
            f"        where {within}\n    )"
        )


def _confidences(filters: Filters) -> str:
    """How sure models say that they are of their answers to candidates."""
    asked = " and ".join(_asked(filters)) or "true"
    return f"""
            select benchmark, candidate_id, confidence as value
            from {_ANSWERS}
            inner join evaluation.evaluation__matches
                using (benchmark, task, condition, example_id, model, run)
            where confidence is not null and {asked}"""


def _has_word(text: str, word: str) -> str:
    """That a word stands in a text, whole; with a * behind it, that one begins so."""
    begins = word.removesuffix("*") or word
    if not any(letter.isalnum() for letter in begins):
        return f"contains({text}, {literal(begins)})"
    end = "" if word.endswith("*") else r"([^\pL\pN]|$)"
    pattern = rf"(^|[^\pL\pN]){re.escape(begins)}{end}"
    # most texts lack the letters, and that is soon found
    return f"(contains({text}, {literal(begins)}) and regexp_matches({text}, {literal(pattern)}))"


def _answered(filters: Filters) -> Iterator[str]:
    """What models answered, as conditions of a candidate."""
    asked = " and ".join(_asked(filters)) or "true"
    if filters.models:
        yield (
            "(benchmark, candidate_id) in (\n"
            f"        select (benchmark, candidate_id) from {_ANSWERS}\n"
            f"        where standing = {literal(filters.models)} and {asked}\n    )"
        )
    if filters.right or filters.wrong:
        of = {"true": filters.right, "false": filters.wrong}
        said = " and ".join(
            f"bool_or(model = {literal(model)} and is_right = {is_right})"
            for is_right, model in of.items()
            if model
        )
        yield (
            "(benchmark, candidate_id) in (\n"
            f"        select (benchmark, candidate_id) from {_ANSWERS}\n"
            f"        where {asked}\n"
            "        group by benchmark, candidate_id, task, condition, example_id\n"
            f"        having {said}\n    )"
        )


def _asked(filters: Filters) -> Iterator[str]:
    """Which answers count, as conditions of an answer."""
    for name in ("task", "condition"):
        if value := getattr(filters, name):
            yield f"{name} = {literal(value)}"
    if filters.slice:
        yield (
            "(benchmark, task, condition, example_id) in (\n"
            "            select (benchmark, task, condition, example_id)"
            " from evaluation.evaluation__matches\n"
            f"            where list_contains(slices, {literal(filters.slice)})\n        )"
        )


def list_statement(filters: Filters, *, has_answers: bool = False) -> str:
    """The statement whose one row is a page of candidates, and their numbers by facet.

    Of a page the rows are found first and read then, because a view may have millions. What words
    are found in is read once. With `has_answers` candidates are counted by what models make of
    them, too.
    """
    sets = ", ".join(f"({name})" for name in FACETS)
    names = ", ".join(Candidate.__struct_fields__)
    matches, where = "", conditions(filters)
    if filters.q.split() or filters.ranges() or list(_answered(filters)):
        matches = f"""matches as materialized (
    select rowid as place from {_CANDIDATES}
    where {where}
),
"""
        where = "rowid in (select place from matches)"
    standings = _COUNTED_ANSWERS.format(candidates=_CANDIDATES, where=where) if has_answers else ""
    return f"""with {matches}page_places as materialized (
    select rowid as place from {_CANDIDATES}
    where {where}
    order by {ORDERS[filters.sort]}
    limit {PAGE_SIZE} offset {(filters.page - 1) * PAGE_SIZE}
),
page as (
    select {names} from {_CANDIDATES}
    where rowid in (select place from page_places)
),
facets as (
    select {", ".join(FACETS)}, grouping({", ".join(FACETS)}) as facet, count(*) as n
    from {_CANDIDATES}
    where {where}
    group by grouping sets ({sets})
)
select
    (
        select list(audit__candidates order by {ORDERS[filters.sort]})
        from page as audit__candidates
    ) as candidates,
    (select list(facets order by n desc, {", ".join(FACETS)}) from facets) as facets{standings}"""


# beside the facets: of the candidates of a view, how many models agree or disagree about
_COUNTED_ANSWERS: Final = f""",
    (
        select list({{{{'standing': standing, 'n': n}}}} order by standing) from (
            select standing, count(distinct (benchmark, candidate_id)) as n
            from {_ANSWERS}
            inner join (
                select benchmark, candidate_id from {{candidates}} where {{where}}
            ) as viewed using (benchmark, candidate_id)
            group by standing
        )
    ) as standings,
    (select list(distinct model order by model) from {_ANSWERS}) as models"""


def rows_statement(filters: Filters) -> str:
    """The statement of all candidates of a view, as a person would write it."""
    return (
        f"select *\nfrom {_CANDIDATES}\nwhere {conditions(filters)}\n"
        f"order by {ORDERS[filters.sort]}"
    )


def find(connection: duckdb.DuckDBPyConnection, filters: Filters) -> Found:
    """The view of `filters`. Raises `GainsayError` where the warehouse has no candidates."""
    has_answers = has_scored_answers(connection)
    statement = list_statement(filters, has_answers=has_answers)
    row = query(connection, statement, _FoundRow)[0]
    facets: dict[str, list[tuple[str | None, int]]] = {name: [] for name in FACETS}
    for facet in row.facets or []:
        # a bit for each column that the row is not grouped by, the first column's the highest
        grouped = [
            name for place, name in enumerate(reversed(FACETS)) if not facet.facet & (1 << place)
        ]
        facets[grouped[0]].append((getattr(facet, grouped[0]), facet.n))
    # every candidate has a benchmark
    n = sum(n for _, n in facets[FACETS[0]])
    standings = [(one.standing, one.n) for one in row.standings or []]
    return Found(n, row.candidates or [], facets, standings, row.models or [])


def histogram_statement(filters: Filters, *, of: Sequence[str]) -> str:
    """The statement of the histograms of a view: ten bars of each measure, in their order.

    `of` are the kinds of measures that the warehouse has: `measures`, `confidence`.
    """
    relations = {
        "measures": f"select measure, value, benchmark, candidate_id from {_MEASURED}",
        CONFIDENCE: (
            f"select '{CONFIDENCE}' as measure, value, benchmark, candidate_id\n"
            f"    from ({_confidences(filters)}\n    )"
        ),
    }
    values = "\n    union all\n    ".join(relations[kind] for kind in of)
    return f"""with viewed as materialized (
    select distinct benchmark, candidate_id from {_CANDIDATES}
    where {conditions(filters)}
),
known_values as (
    {values}
),
viewed_values as (
    select
        known_values.*,
        min(value) over (partition by measure) as lowest,
        max(value) over (partition by measure) as highest
    from known_values
    inner join viewed using (benchmark, candidate_id)
)
select
    measure,
    cast(coalesce(
        least(floor((value - lowest) / nullif(highest - lowest, 0) * {N_BARS}), {N_BARS - 1}), 0
    ) as integer) as place,
    min(value) as low, max(value) as high,
    count(distinct (benchmark, candidate_id)) as n
from viewed_values
group by all
order by measure, place"""


def histograms(connection: duckdb.DuckDBPyConnection, filters: Filters) -> dict[str, list[Bar]]:
    """By measure the bars of a view, in the order of `MEASURES`; what has one value has none."""
    schema, _, table = _MEASURED.partition(".")
    of = ["measures"] if has_table(connection, schema, table) else []
    of += [CONFIDENCE] if has_scored_answers(connection) else []
    if not of:
        return {}
    found: dict[str, list[Bar]] = {name: [] for name in MEASURES}
    for bar in query(connection, histogram_statement(filters, of=of), Bar):
        found[bar.measure].append(bar)
    return {
        name: bars
        for name, bars in found.items()
        if len(bars) > 1 or (bars and getattr(filters, name))
    }


def has_scored_answers(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether the warehouse says what models make of candidates."""
    return has_table(connection, "evaluation", "evaluation__candidate_answers")


def benchmarks(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The benchmarks that have candidates."""
    rows = connection.execute(f"select distinct benchmark from {_CANDIDATES} order by benchmark")
    return [name for (name,) in rows.fetchall()]


def neighbours_in_view(
    connection: duckdb.DuckDBPyConnection, filters: Filters, candidate: Candidate
) -> tuple[Candidate | None, Candidate | None]:
    """The candidates before and after this one in its view.

    Each is the first beyond it in the order, so that a view of millions is not put in order.
    """
    order = _ORDERS[filters.sort]
    here = connection.execute(
        f"select {', '.join(order)} from {_CANDIDATES} where {_key_is(candidate)}"
    ).fetchone()
    values = [literal(str(value)) for value in here or ()]
    tied = _TIED.get(filters.sort)
    if tied is None:
        is_tied = f"{order[0]} = {values[0]}"
        others = [f"{order[0]} < {values[0]}", f"{order[0]} > {values[0]}"]
    else:
        # what is expensive to compute is computed once a row, for both sides
        is_tied = f"{tied} = {literal(getattr(candidate, tied))}"
        sides = connection.execute(
            f"select arg_max({tied}, first_part) filter (where first_part < {values[0]}),"
            f" arg_min({tied}, first_part) filter (where first_part > {values[0]})"
            f" from (select {tied}, {order[0]} as first_part from {_CANDIDATES}"
            f" where {conditions(filters)})"
        ).fetchone()
        others = [
            f"{tied} = {literal(name)}" if name is not None else "false" for name in sides or ()
        ]
    found = []
    for sign, direction, other in (("<", "desc", others[0]), (">", "asc", others[1])):
        beyond = f"{is_tied} and ({_beyond(order[1:], values[1:], sign)})"
        first = _first(connection, filters, beyond, order[1:], direction)
        rest = order if tied is None else order[1:]
        found.append(first or _first(connection, filters, other, rest, direction))
    return found[0], found[1]


def _first(
    connection: duckdb.DuckDBPyConnection,
    filters: Filters,
    condition: str,
    order: Sequence[str],
    direction: str,
) -> Candidate | None:
    """The first candidate of a view, in an order, that fulfils a condition."""
    first = (
        f"select rowid from {_CANDIDATES} where {condition} and {conditions(filters)}"
        f" order by {', '.join(f'{part} {direction}' for part in order)} limit 1"
    )
    found = read(connection, Candidate, _CANDIDATES, where=f"rowid in ({first})")
    return found[0] if found else None


def _beyond(order: Sequence[str], values: Sequence[str], sign: str) -> str:
    """What comes before or after some values in an order: as rows compare, but column by column."""
    return " or ".join(
        " and ".join(
            [
                *(f"{part} = {value}" for part, value in zip(order[:n], values[:n], strict=True)),
                f"{order[n]} {sign} {values[n]}",
            ]
        )
        for n in range(len(order))
    )


def record_statement(benchmark: str, screening: str, candidate_id: str) -> str:
    """The statement of one candidate, with all that its screening saw."""
    return (
        f"select *\nfrom {benchmark}.{benchmark}__screened\n"
        f"where screening = {literal(screening)} and candidate_id = {literal(candidate_id)}"
    )


def next_of_reason(
    connection: duckdb.DuckDBPyConnection, filters: Filters, candidate: Candidate
) -> Candidate | None:
    """The next candidate of the view that ended as this one did."""
    alike = msgspec.structs.replace(
        filters,
        benchmark=candidate.benchmark,
        screening=candidate.screening,
        stage=candidate.stage,
        reason=candidate.reason,
    )
    return neighbours_in_view(connection, alike, candidate)[1]


def marked(
    connection: duckdb.DuckDBPyConnection, names: Sequence[tuple[str, str, str]]
) -> list[Candidate]:
    """The candidates of these benchmarks, screenings and ids, in their order; unknown ones go."""
    found = read(
        connection,
        Candidate,
        _CANDIDATES,
        where="list_contains($ids, candidate_id)",
        parameters={"ids": [name[2] for name in names]},
    )
    by_name = {(one.benchmark, one.screening, one.candidate_id): one for one in found}
    return [by_name[name] for name in dict.fromkeys(names) if name in by_name]


def candidate_of(
    connection: duckdb.DuckDBPyConnection, benchmark: str, screening: str, candidate_id: str
) -> Candidate | None:
    """One candidate, or none of that name."""
    key = {"benchmark": benchmark, "screening": screening, "candidate_id": candidate_id}
    rows = read(
        connection,
        Candidate,
        _CANDIDATES,
        where=" and ".join(f"{name} = ${name}" for name in key),
        parameters=key,
    )
    return rows[0] if rows else None


def seen_by_gates(
    connection: duckdb.DuckDBPyConnection, candidate: Candidate
) -> list[tuple[str, str]]:
    """The columns of the candidate in its screening that say something, and what."""
    relation = port_of(connection, candidate.benchmark, "screened")
    result = connection.execute(
        f"select * from {relation} where screening = $screening and candidate_id = $candidate_id",
        {"screening": candidate.screening, "candidate_id": candidate.candidate_id},
    )
    names = [column[0] for column in result.description or []]
    row = result.fetchone()
    known = {*Candidate.__struct_fields__, "drop_stage", "drop_reason"}
    return [
        (name, _said(value))
        for name, value in zip(names, row or (), strict=False)
        # run lengths of a mask are drawn
        if name not in known and not name.endswith("rle") and value is not None and value != []
    ]


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_said, value))
    return str(value)


def stages(connection: duckdb.DuckDBPyConnection, candidate: Candidate) -> list[Stage]:
    """The stages of the candidate's screening, in their order, without the last, `retained`."""
    return read(
        connection,
        Stage,
        "audit.audit__gates",
        where="benchmark = $benchmark and screening = $screening and stage <> 'retained'",
        order="stage_order",
        parameters={"benchmark": candidate.benchmark, "screening": candidate.screening},
    )


def captions(connection: duckdb.DuckDBPyConnection, source_image_id: str | None) -> list[str]:
    """The captions of a picture, in their order; others than COCO's say whose they are."""
    if source_image_id is None:
        return []
    # the Conflict Suite is built without the texts of others
    tables: dict[str, type[_Caption]] = {"images__texts": _Text, "images__captions": _Caption}
    for table, kind in tables.items():
        if has_table(connection, "images", table):
            rows = read(
                connection,
                kind,
                f"images.{table}",
                where="source_image_id = $id",
                order="caption_position",
                parameters={"id": source_image_id},
            )
            return [row.said for row in rows]
    return []


def examples(connection: duckdb.DuckDBPyConnection, candidate: Candidate) -> list[Example]:
    """The examples that the candidate became: those of its group, or itself."""
    if not candidate.is_retained:
        return []
    relation = port_of(connection, candidate.benchmark, "examples")
    return read(
        connection,
        Example,
        relation,
        where="group_id = $id or example_id = $id",
        order="example_id",
        parameters={"id": candidate.candidate_id},
    )


def pictures(
    connection: duckdb.DuckDBPyConnection, candidate: Candidate, shown: list[Example]
) -> list[Picture]:
    """The pictures of these examples, in their order.

    A benchmark's examples name one; of those that show several the others are listed apart.
    """
    found = [
        Picture(example.example_id, example.shown_image_id, example.recipe_id)
        for example in shown
        if example.shown_image_id
    ]
    if found and has_table(connection, "exports", "exports__shown_pictures"):
        found += read(
            connection,
            Picture,
            "exports.exports__shown_pictures",
            where="benchmark = $benchmark and place > 1 and list_contains($ids, example_id)",
            order="example_id, place",
            parameters={
                "benchmark": candidate.benchmark,
                "ids": [example.example_id for example in shown],
            },
        )
    return found


def rendered_ids(connection: duckdb.DuckDBPyConnection, listed: Sequence[Candidate]) -> set[str]:
    """The ids of candidates that are recipes, such as occlusions, and rendered."""
    if not has_table(connection, "images", "images__renderings"):
        return set()
    return {*rendered_files(connection, {candidate.candidate_id for candidate in listed})}


def answers(connection: duckdb.DuckDBPyConnection, shown: list[Example]) -> list[Answer]:
    """The landed answers of models to these examples, with their scores.

    First what models are at odds about, and the answers to the same one below the other.
    """
    if not shown or not has_table(connection, "evaluation", "evaluation__matches"):
        return []
    set_variables(connection, {"example_ids": [example.example_id for example in shown]})
    return query(connection, sql_beside(__file__, "answers"), Answer)


def judgements(connection: duckdb.DuckDBPyConnection, candidate: Candidate) -> list[Said]:
    """What people said of a candidate, question by question, an adjudicator's word last."""
    if not has_table(connection, "people", "people__votes"):
        return []
    set_variables(connection, {name: getattr(candidate, name) for name in _KEY})
    return query(connection, sql_beside(__file__, "said_of"), Said)


def neighbours(
    connection: duckdb.DuckDBPyConnection, candidate: Candidate
) -> dict[str, list[Candidate]]:
    """Other candidates of the same picture, and with the same question about another one."""
    here = f"not ({_key_is(candidate)})"
    kinds: dict[str, str] = {}
    if candidate.source_image_id is not None:
        kinds["picture"] = f"source_image_id = {literal(candidate.source_image_id)}"
    if candidate.question:
        kinds["question"] = f"question = {literal(candidate.question)}" + (
            f" and source_image_id is distinct from {literal(candidate.source_image_id)}"
            if candidate.source_image_id
            else ""
        )
    return {
        kind: read(
            connection,
            Candidate,
            _CANDIDATES,
            where=f"{condition} and {here}",
            order=f"{', '.join(_KEY)} limit {_MOST_NEIGHBOURS}",
        )
        for kind, condition in kinds.items()
    }


def batches(
    connection: duckdb.DuckDBPyConnection, filters: Filters
) -> Iterator[tuple[list[str], list[tuple[Any, ...]]]]:
    """All candidates of a view, in batches: the names of their columns, and the rows."""
    result = connection.execute(rows_statement(filters))
    names = [column[0] for column in result.description or []]
    yield names, []
    while rows := result.fetchmany(2_000):
        yield names, rows
