"""Whether conditions and ids of answers name what is asked, as far as the warehouse is built."""

from collections.abc import Iterator

import duckdb
import msgspec

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.ports import port_of
from gainsay.foundation.queries import read, set_variables, sql_beside
from gainsay.project.answer_files import answer_files, whole_condition
from gainsay.project.folder import project_vars


class Naming(msgspec.Struct, frozen=True):
    """How many answers of a landed file name an example of their benchmark."""

    benchmark: str
    condition: str
    unknown_id: str | None
    misplaced_id: str | None
    other_condition: str | None
    wanted_id: str
    n_answers: int
    n_unknown: int
    n_misplaced: int

    def sentences(self) -> list[str]:
        """What is wrong with ids, how many there are, and what to do; nothing where nothing is."""
        said = []
        if self.n_unknown:
            said.append(
                f"{self.n_unknown:,} of {self.n_answers:,} ids name no example of {self.benchmark}"
                f" as it was built last, such as {self.unknown_id!r}; ids are like"
                f" {self.wanted_id!r}, and those of `gainsay export` and `gainsay.load` do as well"
            )
        if self.n_misplaced:
            said.append(
                f"{self.n_misplaced:,} of {self.n_answers:,} ids are of records that"
                f" {self.benchmark} shows under another condition than {self.condition}, such as"
                f" {self.misplaced_id!r}; land the file with --condition {self.other_condition},"
                " too"
            )
        return said


def namings(connection: duckdb.DuckDBPyConnection, source_file: str) -> list[Naming]:
    """What the ids of one landed file name; nothing where the evaluation was never built."""
    built = connection.execute(
        "select 1 from information_schema.tables"
        " where table_schema = 'evaluation' and table_name = 'evaluation__named_answers'"
    ).fetchall()
    if not built:
        return []
    return read(
        connection,
        Naming,
        "evaluation.evaluation__named_answers",
        where="source_file = $source_file",
        parameters={"source_file": source_file},
    )


def require_condition(
    connection: duckdb.DuckDBPyConnection, benchmark: str, condition: str
) -> None:
    """Raise `GainsayError` for a condition under which a benchmark that is built asks nothing.

    One side alone of what is asked under a condition is a condition, too.
    """
    try:
        port = port_of(connection, benchmark, "prompts")
    except GainsayError:
        return
    asked = connection.execute(f"select distinct condition from {port} order by 1").fetchall()
    files = answer_files(benchmark)
    known = dict.fromkeys(
        [*(name for (name,) in asked), *files.named_conditions, files.default_condition]
    )
    if asked and whole_condition(condition) not in known:
        raise GainsayError(
            f"{condition}: {benchmark} is asked under {', '.join(known)}, or with one side alone,"
            " such as text_only; tell other ways of asking apart by the run"
        )


class LookedAtAnswers(msgspec.Struct):
    """How many answers of a landed file there are, and of how many somebody should know.

    `n_repeated`: those whose id an earlier one has; `n_empty`: those that say nothing; `n_marked`:
    those that hold what a chat template or a thought leaves in them.
    """

    n_answers: int
    n_repeated: int
    n_empty: int
    n_marked: int

    def sentences(self) -> Iterator[str]:
        if self.n_repeated:
            yield (
                f"{self.n_repeated:,} of {self.n_answers:,} answers have an id that an earlier one"
                " has"
            )
        if self.n_empty:
            yield f"{self.n_empty:,} of {self.n_answers:,} answers are empty"
        if self.n_marked:
            yield (
                f"{self.n_marked:,} answers hold tokens of a chat template, or thoughts, which are"
                " left out where answers are matched (vars answer_chat_tokens and"
                " answer_thought_ends)"
            )


def look_at_answers(connection: duckdb.DuckDBPyConnection, source_file: str) -> LookedAtAnswers:
    """Count what somebody should know of a landed file of answers."""
    known = project_vars()
    marks = [*known["answer_chat_tokens"], *known["answer_thought_ends"]]
    set_variables(connection, {"source_file": source_file, "marks": marks})
    [row] = connection.execute(sql_beside(__file__, "looked_at_answers")).fetchall()
    return LookedAtAnswers(*row)
