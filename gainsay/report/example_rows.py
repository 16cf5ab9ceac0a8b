"""A contact sheet of any benchmark: a group of its port `__examples` a row, a tile each."""

from itertools import groupby
from typing import Final

import duckdb
from msgspec import Struct
from PIL import Image

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.ports import port_of
from gainsay.foundation.queries import query
from gainsay.foundation.renderings import read_rendering
from gainsay.report.contact_sheet import Row, Tile, tile_picture, without_pictures, wrapped
from python_udfs.pixels.image_bytes import read_image

_MOST_BYTES: Final = 2**28
_TEXT_LINES: Final = 3
_QUESTION_LINES: Final = 2


class _Sampled(Struct):
    group_id: str


class _Example(Struct):
    """An example, and where its picture lies: rendered where it has a recipe, else as landed."""

    example_id: str
    group_id: str
    recipe_id: str | None
    source_image_id: str
    is_source_shown: bool
    split: str | None
    family: str | None
    text_input: str | None
    question: str | None
    gold_answer: str | None
    target: str | None
    # how an abstaining benchmark puts it, where its examples have such a column
    answer: str | None
    path: str | None
    archive: str | None
    rendered_file: str | None
    error: str | None


def sample_groups(
    connection: duckdb.DuckDBPyConnection, benchmark: str, n: int, seed: int
) -> list[str]:
    """Groups of examples whose picture has landed, in seeded order.

    Raises `GainsayError` where the benchmark is not built or there is none.
    """
    groups = query(
        connection,
        f"""
        select distinct examples.group_id, md5($seed || ':look:' || examples.group_id) as place
        from {port_of(connection, benchmark, "examples")} as examples
        inner join images.images__files as files
            on examples.shown_image_id = files.source_image_id
        order by place, examples.group_id
        limit $n
        """,
        _Sampled,
        {"n": n, "seed": str(seed)},
    )
    if not groups:
        raise GainsayError(f"{benchmark}: no example {without_pictures(connection)}")
    return [group.group_id for group in groups]


def group_rows(
    connection: duckdb.DuckDBPyConnection, benchmark: str, names: list[str], folder: str
) -> list[Row]:
    """A row for each group that is named, by its own id or by that of one of its examples.

    `folder` holds the rendered pictures. Raises `GainsayError` where the benchmark is not built,
    or has no example or group of a name.
    """
    port = port_of(connection, benchmark, "examples")
    answer = "examples.answer" if "answer" in _columns(connection, port) else "null"
    examples = query(
        connection,
        f"""
        select
            examples.example_id,
            examples.group_id,
            examples.recipe_id,
            examples.source_image_id,
            examples.recipe_id is null
            and examples.shown_image_id is not distinct from examples.source_image_id
                as is_source_shown,
            examples.split,
            examples.family,
            examples.text_input,
            examples.question,
            examples.gold_answer,
            examples.target,
            cast({answer} as varchar) as answer,
            files.path,
            files.archive,
            renderings.rendered_file,
            renderings.error
        from {port} as examples
        left join images.images__files as files
            on examples.shown_image_id = files.source_image_id
        left join images.images__recipes as recipes
            on examples.recipe_id = recipes.recipe_id
        left join images.images__renderings as renderings
            on recipes.render_key = renderings.render_key
        where examples.group_id in (
            select group_id from {port}
            where list_contains($names, group_id) or list_contains($names, example_id)
        )
        order by examples.group_id, is_source_shown desc, examples.recipe_id, examples.example_id
        """,
        _Example,
        {"names": names},
    )
    groups = {
        group_id: list(members)
        for group_id, members in groupby(examples, key=lambda example: example.group_id)
    }
    group_of = {example.example_id: example.group_id for example in examples}
    wanted = []
    for name in names:
        if name not in groups and name not in group_of:
            raise GainsayError(f"{name}: {benchmark} has no example or group of this name")
        wanted.append(name if name in groups else group_of[name])
    return [_group_row(groups[group_id], folder) for group_id in dict.fromkeys(wanted)]


def _columns(connection: duckdb.DuckDBPyConnection, relation: str) -> set[str]:
    described = connection.execute(f"select * from {relation} limit 0").description
    return {column[0] for column in described or ()}


def _group_row(examples: list[_Example], folder: str) -> Row:
    first = examples[0]
    questions = {example.question for example in examples}
    shared = first.question if len(questions) == 1 else None
    heading = [
        shared or "several questions",
        f"gold answer: {first.gold_answer or 'none'}   {first.family or ''}   {first.split or ''}"
        f"   ({first.group_id}, {first.source_image_id})",
    ]
    return Row(heading, [_example_tile(example, shared is None, folder) for example in examples])


def _example_tile(example: _Example, has_own_question: bool, folder: str) -> Tile:
    name = example.example_id.removeprefix(f"{example.group_id}::")
    abstention = f"abstain: {example.answer}" if example.answer else "abstain"
    lines = [name, f"-> {example.target or abstention}"]
    if has_own_question and example.question:
        lines += wrapped(example.question, _QUESTION_LINES)
    lines += wrapped(f"text: {example.text_input or 'none'}", _TEXT_LINES)
    picture = _picture(example, folder)
    if picture is None:
        lines.append(f"no picture: {example.error or 'not landed, or not rendered yet'}")
    return Tile(picture, "clean" if example.is_source_shown else None, lines)


def _picture(example: _Example, folder: str) -> Image.Image | None:
    if example.recipe_id:
        file = example.rendered_file
        if file is None:
            return None
        return tile_picture(lambda: read_rendering(folder, file, _MOST_BYTES))
    path = example.path
    if path is None:
        return None
    return tile_picture(lambda: read_image(path, example.archive, _MOST_BYTES))
