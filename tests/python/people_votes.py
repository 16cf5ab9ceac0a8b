"""What readers say of CLASH samples and CertainlyUncertain pairs, by sheets and by a log."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path

import duckdb

from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.ingest.votes import Queue, VoteLanding, land_log, land_sheet, read_queues, write_sheet

_MD5_OF_ANOTHER_RECORD = "0" * 32


class Voting:
    """Sheets of two readers and a log of four others, and what must become of the records.

    `samples` and `pairs`: by record the reason for which it drops, null where it stays.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, folder: Path, taken: set[object]
    ) -> None:
        self.folder = folder
        self._lines: list[str] = []
        queues = {queue.benchmark: queue for queue in read_queues(DuckDbSink(connection))}
        self.validation = queues["clash"]
        self.samples: dict[str, str | None] = {}
        self.pairs: dict[str, str | None] = {}
        self._hashes: dict[str, str] = {}
        samples = self._records(connection, "clash", taken)
        pairs = self._records(connection, "certainly_uncertain", set())

        self._say_of_samples(samples)
        self._say_of_pairs(pairs)
        self.log = folder / "validation.ndjson"
        # a line that a kill has cut is landed when it is whole, and another bad one is rejected
        self.log.write_text("".join(self._lines) + "no event\n" + self._lines[0][:40])
        self.of_sheets = {
            reader: self._fill_in(connection, queues["clash"], reader, said)
            for reader, said in self._said_in_sheets(samples).items()
        }
        self.of_pairs = self._fill_in(
            connection, queues["certainly_uncertain"], "ann",
            {pairs[0]: {"verdict": "Keep"}, pairs[2]: {"verdict": "keep"}},
        )  # fmt: skip
        self.of_log = land_log(DuckDbSink(connection), self.log)
        self.of_log_again = land_log(DuckDbSink(connection), self.log)

    def _records(
        self, connection: duckdb.DuckDBPyConnection, benchmark: str, taken: set[object]
    ) -> list[str]:
        rows = connection.execute(
            "select record_id, record_md5, image_id from review.review__records"
            " where benchmark = ? order by draw",
            [benchmark],
        ).fetchall()
        self._hashes.update({record_id: md5 for record_id, md5, _ in rows})
        return [record_id for record_id, _, image_id in rows if image_id not in taken]

    def _say_of_samples(self, samples: list[str]) -> None:
        accepted, rejected, tied, too_few, stale, undone, reconsidered = samples[:7]
        self.accepted, self.rejected, self.tied = accepted, rejected, tied
        clash = ("clash", "validation")
        everything = dict.fromkeys(self.validation.answers, "yes")
        for question, answer in everything.items():
            self._vote(*clash, accepted, "eve", question, answer)
        self._vote(*clash, rejected, "eve", "is_plausible", "yes")
        # with ann and bob, two against two
        self._vote(*clash, tied, "eve", "is_question_clear", "yes")
        self._vote(*clash, tied, "kim", "is_question_clear", "no")
        for reader in ("eve", "kim", "lea"):
            self._vote(*clash, stale, reader, "is_plausible", "no", _MD5_OF_ANOTHER_RECORD)
            last = self._vote(*clash, undone, reader, "is_plausible", "no")
        # the page sends what it has no answer for once more
        self._lines.append(self._lines[-1])
        self._undo(*clash, undone, "lea", "is_plausible", last)
        for reader, answers in {"eve": ["no", "yes"], "kim": ["yes"], "lea": ["no"]}.items():
            for answer in answers:
                self._vote(*clash, reconsidered, reader, "is_plausible", answer)
        self.samples = dict.fromkeys(
            (accepted, rejected, tied, too_few, stale, undone, reconsidered)
        )
        self.samples |= {rejected: "human_check_failed", tied: "undecided"}

    def _said_in_sheets(self, samples: list[str]) -> dict[str, dict[str, dict[str, str]]]:
        accepted, rejected, tied, too_few = samples[:4]
        badly = samples[7:11]
        everything = dict.fromkeys(self.validation.answers, "Yes")
        ann = {
            accepted: everything,
            rejected: everything | {"is_plausible": "no", "note": "no such kite"},
            tied: {"is_question_clear": "no"},
            too_few: {"is_one_change": "no"},
            badly[0]: {"is_plausible": "maybe"},
            badly[1]: {"is_plausible": "no", "reader": " "},
            badly[2]: {"is_plausible": "no", "queue": "verification"},
            badly[3]: {"is_plausible": "no", "record_md5": ""},
        }
        bob = {
            accepted: everything,
            rejected: {"is_plausible": "no"},
            tied: {"is_question_clear": "yes"},
            too_few: {"is_one_change": "no"},
        }
        self.samples |= dict.fromkeys(badly)
        return {"ann": ann, "bob": bob}

    def _say_of_pairs(self, pairs: list[str]) -> None:
        kept, wrong, tied, stale = pairs[:4]
        verification = ("certainly_uncertain", "verification")
        self._vote(*verification, wrong, "eve", "verdict", "wrong_answer")
        # against ann, who keeps it
        self._vote(*verification, tied, "eve", "verdict", "drop")
        self._vote(*verification, stale, "eve", "verdict", "drop", _MD5_OF_ANOTHER_RECORD)
        self.kept = kept
        self.pairs = dict.fromkeys((kept, wrong, tied, stale))
        self.pairs |= {wrong: "verification_failed", tied: "undecided"}

    def _vote(
        self,
        benchmark: str,
        queue: str,
        record_id: str,
        reader: str,
        question: str,
        answer: str,
        record_md5: str | None = None,
    ) -> str:
        return self._add(
            "vote", benchmark, queue, record_id, reader, question,
            answer=answer, record_md5=record_md5 or self._hashes[record_id],
        )  # fmt: skip

    def _undo(
        self, benchmark: str, queue: str, record_id: str, reader: str, question: str, undoes: str
    ) -> str:
        return self._add(
            "undo", benchmark, queue, record_id, reader, question,
            undoes=undoes, record_md5=self._hashes[record_id],
        )  # fmt: skip

    def _add(
        self,
        kind: str,
        benchmark: str,
        queue: str,
        record_id: str,
        reader: str,
        question: str,
        **others: str,
    ) -> str:
        event_id = f"{len(self._lines):032x}"
        event = {
            "event_id": event_id, "kind": kind, "benchmark": benchmark, "queue": queue,
            "record_id": record_id, "reader": reader, "question": question,
            "voted_at": f"2026-01-01T10:00:{len(self._lines):02}.5Z", **others,
        }  # fmt: skip
        self._lines.append(json.dumps(event) + "\n")
        return event_id

    def _fill_in(
        self,
        connection: duckdb.DuckDBPyConnection,
        queue: Queue,
        reader: str,
        said: Mapping[str, Mapping[str, str]],
    ) -> VoteLanding:
        sheet = self.folder / f"{queue.benchmark}-{reader}.csv"
        write_sheet(connection, sheet, queue, None, None, reader)
        with sheet.open(newline="") as file:
            rows = [row | said.get(row["record_id"], {}) for row in csv.DictReader(file)]
        # somebody copied a row
        rows.append(next(row for row in rows if row["record_id"] in said))
        with sheet.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        landing = land_sheet(DuckDbSink(connection), sheet)
        assert land_sheet(DuckDbSink(connection), sheet).is_unchanged
        return landing
