"""Which candidates of the gates' sample people are asked about."""

import duckdb

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import literal

_LANDED = "source_image_id in (select source_image_id from images.images__files)"


def sample_query(
    connection: duckdb.DuckDBPyConnection,
    benchmark: str | None = None,
    stage: str | None = None,
    *,
    has_picture: bool,
) -> str:
    """The query of the ids of their records, of a benchmark or a stage if these are given.

    With `has_picture` only those whose picture is landed. Raises `GainsayError` where none is left,
    and says what there is.
    """
    named = {"benchmark": benchmark, "stage": stage}
    of = [f"{name} = {literal(value)}" for name, value in named.items() if value]
    _require_some(connection, of, has_picture=has_picture)
    conditions = " and ".join([*of, *([_LANDED] if has_picture else [])]) or "true"
    return (
        "select benchmark || '::' || screening || '::' || candidate_id"
        f" from audit.audit__gate_sample where {conditions}"
    )


def _require_some(
    connection: duckdb.DuckDBPyConnection, of: list[str], *, has_picture: bool
) -> None:
    try:
        [(n, n_landed)] = connection.execute(
            f"select count(*), count(*) filter (where {_LANDED}) from audit.audit__gate_sample"
            f" where {' and '.join(of) or 'true'}"
        ).fetchall()
        names = connection.execute(
            "select string_agg(distinct benchmark || ' ' || stage, ', ' order by benchmark || ' '"
            " || stage) from audit.audit__gate_sample"
        ).fetchall()
    except duckdb.CatalogException as error:
        raise GainsayError("there is no sample of the gates yet: run `gainsay build`") from error
    if not n:
        raise GainsayError(
            f"the gates' sample has no candidate with {' and '.join(of) or 'anything'}; it has"
            f" {names[0][0] or 'none'}"
        )
    if has_picture and not n_landed:
        raise GainsayError(
            f"of {n:,} candidates of the gates' sample none has a landed picture; --all asks about"
            " them without, `gainsay land-images` lands pictures"
        )
