"""Numbers of the environment: a wrong one is named, before DuckDB or dbt is given it."""

from pathlib import Path

import pytest

from gainsay.foundation import limits
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError

SIZES = [
    (limits.MEMORY, text)
    for text in (
        "",
        " ",
        "x",
        "0",
        "-1",
        "1e9",
        "4",
        "0GB",
        "1MB",
        "none",
        "4 GBytes",
        "nan",
        "٤GB",
    )
]
NUMBERS = [
    (name, text)
    for name in (limits.DUCKDB_THREADS, limits.DBT_THREADS, limits.QUERY_SECONDS)
    for text in ("", "x", "0", "-1", "1e9", "1.5", "1000000000", " 2", "٢", "9" * 400)
]


@pytest.mark.parametrize(("name", "text"), SIZES + NUMBERS)
def test_a_wrong_number_is_named(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(GainsayError, match=f"{name} '"):
        limits.require_sound_numbers()


@pytest.mark.parametrize("name", [limits.MEMORY, limits.DUCKDB_THREADS])
def test_no_warehouse_is_opened_with_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "-1")
    with pytest.raises(GainsayError, match=name), connect(path=tmp_path / "gainsay.duckdb"):
        pass
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("name", [limits.MEMORY, limits.DUCKDB_THREADS, limits.DBT_THREADS])
def test_no_build_starts_with_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from gainsay.project.runner import run_dbt

    monkeypatch.setenv(name, "0")
    with pytest.raises(GainsayError, match=name):
        run_dbt(["parse"])


@pytest.mark.parametrize(
    ("text", "n_bytes"),
    [("4GB", 4 * 10**9), ("1.5 GiB", 3 * 2**29), ("500mb", 5 * 10**8), ("16000KB", 16 * 10**6),
     ("64000000B", 64 * 10**6), ("4g", 4 * 10**9), ("1TiB", 2**40)],
)  # fmt: skip
def test_a_size_is_as_duckdb_takes_it(
    text: str, n_bytes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(limits.MEMORY, text)
    assert limits.n_bytes(limits.memory_limit()) == n_bytes
    with connect(path=tmp_path / "gainsay.duckdb") as connection:
        assert connection.execute("select 1").fetchone() == (1,)


def test_a_share_of_the_machines_memory_is_a_size() -> None:
    assert limits.n_bytes("100%") == 2 * limits.n_bytes("50%")
