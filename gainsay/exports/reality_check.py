"""VLM Reality Check as the files that the source protocol's own scripts read.

    configs/biases.yaml, pipeline.yaml, languages.yaml
    data/raw/manifest.jsonl                      the retained images
    data/raw/images/<source>/                    their pictures, at `local_path`
    data/processed/annotations.jsonl             what is known of each, nested
    data/challenges/challenges.jsonl, challenges_multilingual.jsonl
    data/challenges/controls.jsonl               what no count of the source's scripts includes
    data/challenges/images/                      pictures that were edited
    data/questions/en.jsonl, es.jsonl, ...       what is asked in one language, pictures in order
    data/validation/human_validation_sample.csv  for two people to fill in

Rows are in order of their ids, so that two exports of one build are the same bytes. A picture whose
licence forbids to give it or its edits along is withheld, and its `local_path` is null; rows never
are. One's own pictures of which no licence is stated are delivered: who exports them has them.
"""

import csv
import io
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

import duckdb
import msgspec
import yaml
from msgspec import Struct

from gainsay.exports.counting import Row, counts_of, require_equal
from gainsay.foundation.chunked_files import MOST_BYTES
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.own_files import OwnFiles
from gainsay.foundation.progress import Advance, advance_unseen
from gainsay.foundation.queries import query, query_in_parts, read, set_variables, sql_beside
from gainsay.foundation.renderings import read_rendering, renderings_of
from gainsay.foundation.sheets import cell_of_text, text_of_cell
from gainsay.foundation.whole_files import read_whole_file
from gainsay.ingest.withdrawals import require_none_withdrawn
from gainsay.project.folder import project_vars
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, read_landed

_PREFIX: Final = "reality_check_"
_SAMPLE_COLUMNS: Final = (
    "challenge_id",
    "bias_type",
    "language",
    "en_question",
    "translated_question",
    "is_fluent",
    "is_accurate",
    "notes",
)
# the last ones, which people fill in
_N_JUDGED: Final = 3

_MANIFEST: Final = "data/raw/manifest.jsonl"
_PICTURES: Final = "data/raw/images"
_ANNOTATIONS: Final = "data/processed/annotations.jsonl"
_CHALLENGES: Final = "data/challenges/challenges.jsonl"
_MULTILINGUAL: Final = "data/challenges/challenges_multilingual.jsonl"
_CONTROLS: Final = "data/challenges/controls.jsonl"
_EDITED: Final = "data/challenges/images"
_QUESTIONS: Final = "data/questions/{language}.jsonl"
_SAMPLE: Final = "data/validation/human_validation_sample.csv"

# the files of each stage of the source protocol
STAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "collect": (_MANIFEST,),
    "process": (_ANNOTATIONS,),
    "generate": (_CHALLENGES,),
    "translate": (_MULTILINGUAL, _CONTROLS),
}

# the file of SQL of each, which gives its lines
_LINES: Final = {
    _MANIFEST: "manifest",
    _ANNOTATIONS: "annotations",
    _CHALLENGES: "challenges",
    _MULTILINGUAL: "challenges_multilingual",
    _CONTROLS: "controls",
}


class _Image(Struct):
    image_id: str


class _Challenge(Struct):
    challenge_id: str
    split: str | None


class _Translation(Struct):
    challenge_id: str
    language: str


class _EditedFile(Struct):
    image_b_file: str | None


# what each file must hold, by the mart that it is made of and no other join
_DUE: Final[dict[str, tuple[type[Struct], str]]] = {
    _MANIFEST: (_Image, "reality_check__images"),
    _ANNOTATIONS: (_Image, "reality_check__images"),
    _CHALLENGES: (_Challenge, "reality_check__challenges"),
    _MULTILINGUAL: (_Challenge, "reality_check__challenges"),
    _CONTROLS: (_Challenge, "reality_check__controls"),
    _QUESTIONS: (_Challenge, "reality_check__challenges"),
    _SAMPLE: (_Translation, "reality_check__translation_sample"),
}


class _Bias(Struct):
    bias_type: str
    what_it_tests: str
    ground_truth_method: str
    pair_kind: str
    questions_per_pair: int
    easy_share: float
    medium_share: float
    hard_share: float
    target: int


class _Combination(Struct):
    first_bias: str
    second_bias: str
    target: int


class _Language(Struct):
    language: str
    name: str
    script: str
    is_right_to_left: bool
    model_id: str | None
    target_token: str | None


class _Setting(Struct):
    item: str
    value: str


class _Counted(Struct):
    """What a line says of its record."""

    challenge_id: str | None = None
    image_id: str | None = None
    split: str | None = None
    language: str | None = None


class _Sampled(Struct):
    challenge_id: str
    bias_type: str
    language: str
    en_question: str
    translated_question: str


class _Picture(Struct):
    """A photograph or an edited picture that is delivered, and under which name."""

    name: str
    sha256: str
    local_path: str
    # of a photograph, where it is landed
    path: str = ""
    archive: str | None = None


def export_reality_check(
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    stages: Collection[str] = tuple(STAGES),
    advance: Advance = advance_unseen,
) -> dict[str, int]:
    """Write the benchmark's files of some stages into `folder`; how many rows each has.

    Pictures that are there already are not written again, and former ones go; `advance` counts
    them. Raises `GainsayError` where the benchmark is not built, a picture is not the one that
    landed, a file cannot be written, one holds other records than its mart, or one of these names
    is somebody's: people have filled in the sample of an earlier export, for example.
    """
    if "translate" in stages:
        _require_not_filled_in(folder / _SAMPLE)
    own = OwnFiles(folder)
    own.require_own(_names_of(connection, stages))
    written = _write_configs(connection, own)
    pictures = _pictures(connection, "pictures")
    require_none_withdrawn(connection, "reality_check", (one.name for one in pictures))
    if "collect" in stages:
        written[_PICTURES] = _write_pictures(own, pictures, advance)
    edits: list[_Picture] = []
    if {"generate", "translate"} & {*stages}:
        edits = _pictures(connection, "edits")
    if "generate" in stages:
        written[_EDITED] = _write_edits(connection, own, edits, advance)
    delivered = [{"name": one.name, "local_path": one.local_path} for one in [*pictures, *edits]]
    set_variables(connection, {"delivered_pictures": delivered})
    for stage in [stage for stage in STAGES if stage in stages]:
        for name in STAGES[stage]:
            written[name] = _write_lines(connection, _sql(_LINES[name]), own, name)
    if "translate" in stages:
        for language in _languages(connection):
            name = _QUESTIONS.format(language=language)
            set_variables(connection, {"language": language})
            written[name] = _write_lines(connection, _sql("questions"), own, name)
        written[_SAMPLE] = _write_sample(connection, own)
    _require_counted(connection, folder, written)
    return written


def _require_counted(
    connection: duckdb.DuckDBPyConnection, folder: Path, names: Iterable[str]
) -> None:
    """Raise `GainsayError` where a file holds other records than the mart that it is made of."""
    of_languages = {_QUESTIONS.format(language=each): each for each in _languages(connection)}
    for name in names:
        language = of_languages.get(name)
        made_of = _DUE.get(_QUESTIONS if language else name)
        if made_of is None:
            # configuration, and pictures
            continue
        row_type, mart = made_of
        rows = [
            _counted(row, language) for row in read(connection, row_type, f"reality_check.{mart}")
        ]
        found = counts_of(_records_of(folder / name))
        require_equal(found, counts_of(rows), f"{folder / name}")


def _counted(row: Struct, language: str | None) -> Row:
    match row:
        case _Image(image_id):
            return Row(image_id)
        case _Challenge(challenge_id, split):
            return Row(challenge_id, split, condition=language)
        case _Translation(challenge_id, language):
            return Row(challenge_id, condition=language)
    raise TypeError(row)


def _records_of(path: Path) -> Iterator[Row]:
    """The records of a file as they are counted: of the sample, those of a language together."""
    with path.open("rb") as file:
        if path.suffix == ".csv":
            for cells in csv.DictReader(io.TextIOWrapper(file, "utf-8", newline="")):
                yield Row(text_of_cell(cells["challenge_id"]), condition=cells["language"])
            return
        for line in file:
            found = msgspec.json.decode(line, type=_Counted)
            yield Row(found.challenge_id or str(found.image_id), found.split, found.language)


def _names_of(connection: duckdb.DuckDBPyConnection, stages: Collection[str]) -> list[str]:
    """The names of the files, without the pictures, that an export of these stages writes."""
    names = [f"configs/{name}" for name in ("biases.yaml", "pipeline.yaml", "languages.yaml")]
    names += [name for stage in stages for name in STAGES[stage]]
    if "translate" in stages:
        names += [_QUESTIONS.format(language=each) for each in _languages(connection)]
        names.append(_SAMPLE)
    return names


def _languages(connection: duckdb.DuckDBPyConnection) -> list[str]:
    languages = read(connection, _Language, "vocabulary.reality_check_languages", order="position")
    return [each.language for each in languages]


def n_pictures(connection: duckdb.DuckDBPyConnection) -> int:
    """How many pictures an export of all stages would write at most."""
    try:
        images = read(connection, _Image, "reality_check.reality_check__images")
        edited = read(connection, _EditedFile, "reality_check.reality_check__challenges")
    except GainsayError:
        return 0
    return len(images) + len({one.image_b_file for one in edited if one.image_b_file})


def _sql(name: str) -> str:
    return sql_beside(__file__, f"{_PREFIX}{name}")


def _pictures(connection: duckdb.DuckDBPyConnection, name: str) -> list[_Picture]:
    try:
        return query(connection, _sql(name), _Picture)
    except GainsayError as error:
        raise GainsayError(
            "VLM Reality Check is not built here; run `gainsay build --select"
            f" +reality_check__multilingual` first ({error})"
        ) from error


def _write_pictures(own: OwnFiles, pictures: list[_Picture], advance: Advance) -> int:
    most_bytes = project_vars()["max_image_bytes"]
    for picture in pictures:
        landed = partial(read_landed, picture.path, picture.archive, most_bytes, picture.sha256)
        _deliver(own, picture.local_path, picture.sha256, landed)
        advance()
    own.keep_only(_PICTURES, {picture.local_path for picture in pictures})
    return len(pictures)


def _write_edits(
    connection: duckdb.DuckDBPyConnection, own: OwnFiles, edits: list[_Picture], advance: Advance
) -> int:
    renderings = renderings_of(connection)
    for edit in edits:
        rendered = partial(read_rendering, renderings, edit.name, MOST_BYTES)
        _deliver(own, edit.local_path, edit.sha256, rendered)
        advance()
    own.keep_only(_EDITED, {edit.local_path for edit in edits})
    return len(edits)


def _deliver(own: OwnFiles, name: str, sha256: str, content: Callable[[], bytes]) -> None:
    """Have the picture that was measured at `name`, a copy that is nobody's but the delivery's."""
    try:
        own.have(name, sha256, content)
    except ImageUnreadableError as error:
        raise GainsayError(
            f"{own.folder / name}: its picture cannot be delivered: {error}; land the pictures"
            " again, and build"
        ) from error


def _write_configs(connection: duckdb.DuckDBPyConnection, own: OwnFiles) -> dict[str, int]:
    biases = read(connection, _Bias, "vocabulary.reality_check_biases", order="position")
    combinations = read(
        connection,
        _Combination,
        "vocabulary.reality_check_compound_combinations",
        order="position",
    )
    languages = read(connection, _Language, "vocabulary.reality_check_languages", order="position")
    settings = _settings(connection)
    contents: dict[str, Any] = {
        "biases.yaml": {
            bias.bias_type: {
                "description": bias.what_it_tests,
                "ground_truth_method": bias.ground_truth_method,
                "pair": bias.pair_kind,
                "questions_per_pair": bias.questions_per_pair,
                "target_challenge_count": bias.target,
                "difficulty_split": {
                    "easy": bias.easy_share,
                    "medium": bias.medium_share,
                    "hard": bias.hard_share,
                },
            }
            for bias in biases
        },
        "pipeline.yaml": {
            "target_dataset_size": settings["target_dataset_size"],
            "compound_challenge_count": settings["compound_challenge_count"],
            "compound_combinations": [
                {
                    "biases": [each.first_bias, each.second_bias],
                    "target_challenge_count": each.target,
                }
                for each in combinations
            ],
            "scale": settings["scale"],
            "languages": settings["languages"],
            "random_seed": settings["seed"],
            "image_sources": settings["image_sources"],
            "difficulty_distribution": settings["mix"],
        },
        "languages.yaml": {
            "languages": {
                each.language: {
                    "name": each.name,
                    "script": each.script,
                    "is_right_to_left": each.is_right_to_left,
                    "model_id": each.model_id,
                    "target_token": each.target_token,
                }
                for each in languages
            }
        },
    }
    for name, content in contents.items():
        text = yaml.safe_dump(content, allow_unicode=True, sort_keys=False)
        own.write(f"configs/{name}", text.encode())
    return {f"configs/{name}": len(content) for name, content in contents.items()}


def _settings(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """The vars of the build, by their names without the prefix; those of the project elsewhere."""
    try:
        built = read(
            connection,
            _Setting,
            "reality_check.reality_check__manifest",
            where="section = 'configuration'",
        )
    except GainsayError:
        # its manifest comes last
        built = []
    # texts of lists and numbers are YAML
    values = project_vars() | {row.item: yaml.safe_load(row.value) for row in built if row.value}
    return {
        name.removeprefix(_PREFIX): value
        for name, value in values.items()
        if name.startswith(_PREFIX)
    }


def _write_lines(
    connection: duckdb.DuckDBPyConnection,
    sql: str,
    own: OwnFiles,
    name: str,
) -> int:
    with own.file(name) as stream:
        return _lines_into(stream, connection, sql)


def _lines_into(stream: IO[bytes], connection: duckdb.DuckDBPyConnection, sql: str) -> int:
    n_rows = 0
    for row in query_in_parts(connection, sql, _Line):
        # the warehouse's JSON, letters of every script as they are
        stream.write(msgspec.json.encode(msgspec.json.decode(row.line)))
        stream.write(b"\n")
        n_rows += 1
    return n_rows


class _Line(Struct):
    line: str


def _require_not_filled_in(path: Path) -> None:
    """Raise `GainsayError` where people have judged the sample that would be written anew."""
    if not os.path.lexists(path):
        return
    lines = read_whole_file(path).content.decode(errors="replace").splitlines()
    if any(any(row[len(_SAMPLE_COLUMNS) - _N_JUDGED :]) for row in list(csv.reader(lines))[1:]):
        raise GainsayError(
            f"{path}: people have filled it in, and it is not overwritten; move it away, or export"
            " into another folder"
        )


def _write_sample(connection: duckdb.DuckDBPyConnection, own: OwnFiles) -> int:
    rows = read(
        connection,
        _Sampled,
        "reality_check.reality_check__translation_sample",
        order="language, rank_in_language",
    )
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(_SAMPLE_COLUMNS)
    for row in rows:
        texts = (row.challenge_id, row.bias_type, row.language, row.en_question)
        writer.writerow(
            [cell_of_text(text) for text in (*texts, row.translated_question)] + ["", "", ""]
        )
    own.write(_SAMPLE, sheet.getvalue().encode())
    return len(rows)
