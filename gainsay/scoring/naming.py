"""Whether the ids of landed answers name examples, as far as the warehouse is built."""

import duckdb
import msgspec

from gainsay.foundation.queries import read


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
