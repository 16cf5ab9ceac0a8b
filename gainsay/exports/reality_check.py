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
from gainsay.foundation.atomic import atomic_file
from gainsay.foundation.chunked_files import MOST_BYTES
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.own_files import OwnFiles
from gainsay.foundation.progress import Advance, advance_unseen
from gainsay.foundation.queries import query, query_in_parts
from gainsay.foundation.renderings import read_rendering, renderings_of
from gainsay.foundation.sheets import cell_of_text, text_of_cell
from gainsay.foundation.whole_files import read_whole_file
from gainsay.project.folder import project_vars
from python_udfs.pixels.image_bytes import ImageUnreadableError, read_landed

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

# a name that any system takes, whatever the pictures are called where they lie
_DELIVERED: Final = f"""
    create or replace temp table delivered_pictures as
    select
        images.image_id,
        files.path,
        files.archive,
        files.sha256,
        case
            when licensed.is_delivered
                then
                    '{_PICTURES}/' || images.source || '/' || case
                        when regexp_full_match(images.image_id, '[a-z]+[_-][0-9a-f]+')
                            then images.image_id
                        else images.source || '_' || substr(md5(images.image_id), 1, 12)
                    end || case files.format
                        when 'PNG' then '.png' when 'WEBP' then '.webp' when 'GIF' then '.gif'
                        when 'BMP' then '.bmp' when 'TIFF' then '.tif' else '.jpg'
                    end
        end as local_path
    from reality_check.reality_check__images as images
    inner join images.images__files as files on images.image_id = files.source_image_id
    left join reality_check.reality_check__licensed_images as licensed
        on images.image_id = licensed.image_id
"""
_EDITS: Final = f"""
    create or replace temp table delivered_edits as
    select distinct
        renderings.rendered_file,
        renderings.sha256,
        '{_EDITED}/' || renderings.rendered_file as local_path
    from reality_check.reality_check__challenges as challenges
    inner join reality_check.reality_check__renderings as renderings
        on challenges.image_b_file = renderings.rendered_file
    inner join delivered_pictures as pictures
        on challenges.image_a_id = pictures.image_id and pictures.local_path is not null
"""
# a challenge, and where its pictures lie
_RECORDS: Final = """
    select
        challenges.* replace (
            cast(challenges.slots as json) as slots,
            cast(challenges.options as json) as options,
            cast(challenges.expected_failure_mode as json) as expected_failure_mode,
            cast(challenges.metadata as json) as metadata
        ),
        pictures_a.local_path as image_a_path,
        case
            when renderings.rendered_file is not null then edits.local_path
            else pictures_b.local_path
        end as image_b_path,
        pictures_c.local_path as image_c_path
    from reality_check.reality_check__challenges as challenges
    left join delivered_pictures as pictures_a on challenges.image_a_id = pictures_a.image_id
    left join delivered_pictures as pictures_b on challenges.image_b_id = pictures_b.image_id
    left join delivered_pictures as pictures_c on challenges.image_c_id = pictures_c.image_id
    left join delivered_edits as edits on challenges.image_b_file = edits.rendered_file
    left join (
        select distinct rendered_file from reality_check.reality_check__renderings
    ) as renderings on challenges.image_b_file = renderings.rendered_file
"""

# each row is one line of its file, as JSON
_LINES: Final = {
    _MANIFEST: """
        select
            to_json(struct_pack(
                image_id := images.image_id,
                source := images.source,
                local_path := delivered.local_path,
                url := collected.url,
                license := images.license,
                metadata := cast(images.metadata as json)
            )) as line
        from reality_check.reality_check__images as images
        left join images.images__collected_images as collected
            on images.image_id = collected.image_id
        left join delivered_pictures as delivered on images.image_id = delivered.image_id
        order by images.image_id
    """,
    _ANNOTATIONS: """
        select
            to_json(struct_pack(
                image_id := images.image_id,
                detections := struct_pack(detections := coalesce(objects.detections, [])),
                depth := struct_pack(
                    left_depth_mean := annotations.depth_left,
                    right_depth_mean := annotations.depth_right,
                    top_depth_mean := annotations.depth_top,
                    bottom_depth_mean := annotations.depth_bottom
                ),
                shadow := struct_pack(
                    shadow_angle_detected := annotations.shadow_angle_detected,
                    shadow_angle_expected := annotations.shadow_angle_expected,
                    sun_azimuth := annotations.sun_azimuth,
                    sun_elevation := annotations.sun_elevation,
                    angle_delta := annotations.angle_delta,
                    is_physically_plausible := annotations.is_physically_plausible,
                    -- as the source protocol spells it
                    is_physiologically_plausible := annotations.is_physically_plausible,
                    is_skippable := annotations.is_skippable
                ),
                ocr := struct_pack(
                    has_text := annotations.has_text,
                    text_blocks := annotations.text_blocks,
                    is_location_relevant := annotations.is_location_relevant
                ),
                texture := struct_pack(
                    edge_density := annotations.edge_density,
                    dominant_texture_frequency := annotations.dominant_texture_frequency,
                    is_silhouette_extractable := annotations.is_silhouette_extractable
                ),
                temporal := struct_pack(
                    taken_at := annotations.taken_at,
                    time_of_day := annotations.time_of_day,
                    season := annotations.season,
                    construction_score := annotations.construction_score
                ),
                scene := struct_pack(scene := scenes.scene, is_outdoor := scenes.is_outdoor)
            )) as line
        from reality_check.reality_check__images as images
        left join images.images__annotations as annotations
            on images.image_id = annotations.source_image_id
        left join reality_check.reality_check__scenes as scenes
            on images.image_id = scenes.source_image_id
        left join (
            select
                source_image_id,
                list(
                    struct_pack(
                        label := label,
                        bbox := bbox,
                        confidence := confidence,
                        area_fraction := area_fraction
                    )
                    order by object_id
                ) as detections
            from reality_check.reality_check__objects
            group by source_image_id
        ) as objects on images.image_id = objects.source_image_id
        order by images.image_id
    """,
    _CHALLENGES: f"""
        with challenges as ({_RECORDS})
        select to_json(challenges) as line
        from challenges
        order by challenges.challenge_id
    """,
    _MULTILINGUAL: f"""
        with records as ({_RECORDS}),
        challenges as (
            select
                records.*,
                multilingual.questions,
                multilingual.answers,
                struct_pack(
                    en := cast(multilingual.options.en as json),
                    es := cast(multilingual.options.es as json),
                    zh := cast(multilingual.options.zh as json),
                    hi := cast(multilingual.options.hi as json),
                    ar := cast(multilingual.options.ar as json)
                ) as options_by_language
            from records
            inner join reality_check.reality_check__multilingual as multilingual
                on records.challenge_id = multilingual.challenge_id
        )
        select to_json(challenges) as line
        from challenges
        order by challenges.challenge_id
    """,
    _CONTROLS: """
        select to_json(controls) as line
        from (
            select
                controls.* replace (
                    cast(controls.slots as json) as slots,
                    cast(controls.options as json) as options,
                    cast(controls.expected_failure_mode as json) as expected_failure_mode,
                    cast(controls.metadata as json) as metadata
                ),
                texts.questions,
                texts.answers
            from reality_check.reality_check__controls as controls
            left join (
                select
                    challenge_id,
                    map_from_entries(list((language, question) order by language)) as questions,
                    map_from_entries(list((language, answer) order by language)) as answers
                from reality_check.reality_check__record_questions
                where is_control
                group by challenge_id
            ) as texts on controls.challenge_id = texts.challenge_id
        ) as controls
        order by controls.challenge_id
    """,
}


_CONFIGURATION: Final = (
    "select item, value from reality_check.reality_check__manifest where section = 'configuration'"
)

# the questions of each language in a file of their own, for evaluations in one language
_OF_LANGUAGE: Final = """
    select
        to_json(struct_pack(
            challenge_id := challenges.challenge_id,
            language := questions.language,
            bias_type := challenges.bias_type,
            question_role := challenges.question_role,
            difficulty := challenges.difficulty,
            split := challenges.split,
            images := case challenges.asked_images
                when 'a' then [challenges.image_a_file]
                when 'b' then [challenges.image_b_file]
                when 'ab' then [challenges.image_a_file, challenges.image_b_file]
                else [challenges.image_a_file, challenges.image_b_file, challenges.image_c_file]
            end,
            question := questions.question,
            options := cast(questions.options as json),
            answer_format := questions.answer_format,
            answer := questions.answer,
            answer_text := questions.answer_text,
            translator := questions.translator
        )) as line
    from reality_check.reality_check__questions as questions
    inner join reality_check.reality_check__challenges as challenges
        on questions.challenge_id = challenges.challenge_id
    where questions.language = $language
    order by challenges.challenge_id
"""

# what each file must hold, by the mart that it is made of and no other join
_CHALLENGES_DUE: Final = """
    select challenge_id as example_id, split
    from reality_check.reality_check__challenges
"""
_IMAGES_DUE: Final = "select image_id as example_id from reality_check.reality_check__images"
_DUE: Final = {
    _MANIFEST: _IMAGES_DUE,
    _ANNOTATIONS: _IMAGES_DUE,
    _CHALLENGES: _CHALLENGES_DUE,
    _MULTILINGUAL: _CHALLENGES_DUE,
    _CONTROLS: """
        select challenge_id as example_id, split from reality_check.reality_check__controls
    """,
    _QUESTIONS: f"select *, $language as condition from ({_CHALLENGES_DUE})",
    _SAMPLE: """
        select challenge_id as example_id, language as condition
        from reality_check.reality_check__translation_sample
    """,
}

# the files that the source protocol's smoke test looks for
EXPORTED_FILES: Final = (_MANIFEST, _ANNOTATIONS, _CHALLENGES, _MULTILINGUAL, _SAMPLE)


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
    path: str
    archive: str | None
    sha256: str
    local_path: str


class _Edit(Struct):
    rendered_file: str
    sha256: str
    local_path: str


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
    _create(connection, _DELIVERED)
    if "collect" in stages:
        written[_PICTURES] = _write_pictures(connection, own, advance)
    if {"generate", "translate"} & {*stages}:
        _create(connection, _EDITS)
    if "generate" in stages:
        written[_EDITED] = _write_edits(connection, own, advance)
    for stage in [stage for stage in STAGES if stage in stages]:
        for name in STAGES[stage]:
            written[name] = _write_lines(connection, _LINES[name], own, name)
    if "translate" in stages:
        for language in _languages(connection):
            name = _QUESTIONS.format(language=language)
            written[name] = _write_lines(
                connection, _OF_LANGUAGE, own, name, {"language": language}
            )
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
        due = _DUE.get(_QUESTIONS if language else name)
        if due is None:
            # configuration, and pictures
            continue
        rows = query(connection, due, Row, {"language": language} if language else None)
        found = counts_of(_records_of(folder / name))
        require_equal(found, counts_of(rows), f"{folder / name}")


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
    languages = query(connection, "select * from vocabulary.reality_check_languages", _Language)
    return [each.language for each in languages]


def n_pictures(connection: duckdb.DuckDBPyConnection) -> int:
    """How many pictures an export of all stages would write at most."""
    try:
        row = connection.execute(
            "select (select count(*) from reality_check.reality_check__images)"
            " + (select count(distinct image_b_file) from reality_check.reality_check__challenges)"
        ).fetchone()
    except duckdb.CatalogException:
        return 0
    return int(row[0]) if row else 0


def _create(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    try:
        connection.execute(sql)
    except duckdb.CatalogException as error:
        raise GainsayError(
            "VLM Reality Check is not built here; run `gainsay build --select"
            f" +reality_check__multilingual` first ({error})"
        ) from error


def _write_pictures(connection: duckdb.DuckDBPyConnection, own: OwnFiles, advance: Advance) -> int:
    pictures = query(
        connection,
        "select path, archive, sha256, local_path from delivered_pictures"
        " where local_path is not null order by local_path",
        _Picture,
    )
    most_bytes = project_vars()["max_image_bytes"]
    for picture in pictures:
        read = partial(read_landed, picture.path, picture.archive, most_bytes, picture.sha256)
        _deliver(own, picture.local_path, picture.sha256, read)
        advance()
    own.keep_only(_PICTURES, {picture.local_path for picture in pictures})
    return len(pictures)


def _write_edits(connection: duckdb.DuckDBPyConnection, own: OwnFiles, advance: Advance) -> int:
    edits = query(connection, "select * from delivered_edits order by local_path", _Edit)
    renderings = renderings_of(connection)
    for edit in edits:
        read = partial(read_rendering, renderings, edit.rendered_file, MOST_BYTES)
        _deliver(own, edit.local_path, edit.sha256, read)
        advance()
    own.keep_only(_EDITED, {edit.local_path for edit in edits})
    return len(edits)


def _deliver(own: OwnFiles, name: str, sha256: str, read: Callable[[], bytes]) -> None:
    """Have the picture that was measured at `name`, a copy that is nobody's but the delivery's."""
    try:
        own.have(name, sha256, read)
    except ImageUnreadableError as error:
        raise GainsayError(
            f"{own.folder / name}: its picture cannot be delivered: {error}; land the pictures"
            " again, and build"
        ) from error


def write_annotations(connection: duckdb.DuckDBPyConnection, path: Path, n_images: int) -> int:
    """Write the annotations of the first `n_images` into a file of their own; how many there are.

    Raises `GainsayError` as `export_reality_check` does.
    """
    with atomic_file(path) as stream:
        return _lines_into(stream, connection, f"{_LINES[_ANNOTATIONS]} limit {n_images}")


def _write_configs(connection: duckdb.DuckDBPyConnection, own: OwnFiles) -> dict[str, int]:
    biases = query(
        connection, "select * from vocabulary.reality_check_biases order by position", _Bias
    )
    combinations = query(
        connection,
        "select * from vocabulary.reality_check_compound_combinations order by position",
        _Combination,
    )
    languages = query(
        connection, "select * from vocabulary.reality_check_languages order by position", _Language
    )
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
        built = query(connection, _CONFIGURATION, _Setting)
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
    parameters: dict[str, Any] | None = None,
) -> int:
    with own.file(name) as stream:
        return _lines_into(stream, connection, sql, parameters)


def _lines_into(
    stream: IO[bytes],
    connection: duckdb.DuckDBPyConnection,
    sql: str,
    parameters: dict[str, Any] | None = None,
) -> int:
    n_rows = 0
    for row in query_in_parts(connection, sql, _Line, parameters):
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
    rows = query(
        connection,
        "select * from reality_check.reality_check__translation_sample"
        " order by language, rank_in_language",
        _Sampled,
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
