"""Logs of inspect_ai land: a zip of JSON, deflated as its older versions have it, or zstd."""

import io
import json
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import advance_unseen
from gainsay.ingest import eval_logs
from gainsay.ingest.predictions import layout_of, read_predictions

_ZSTD = (93).to_bytes(2, "little")


def _sample(example_id: str, said: str | None) -> dict[str, object]:
    return {
        "id": f"sample {example_id}", "epoch": 1, "input": "Is it?", "target": "yes",
        "output": {"model": "m", "choices": [], "completion": said},
        "metadata": {"example_id": example_id}, "scores": {"s": {"value": float("nan")}},
    }  # fmt: skip


def _log(path: Path, answers: dict[str, str | None], *, is_zstd: bool) -> Path:
    """A log with a sample for each answer, as inspect lays it out."""
    members = {
        "_journal/start.json": {"version": 2},
        **{f"samples/{key}_epoch_1.json": _sample(key, said) for key, said in answers.items()},
        "header.json": {"version": 2, "status": "success"},
    }
    archive = io.BytesIO()
    kind = zipfile.ZIP_STORED if is_zstd else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(archive, "w", kind) as log:
        for name, content in members.items():
            data = json.dumps(content).encode()
            log.writestr(name, pa.Codec("zstd").compress(data, asbytes=True) if is_zstd else data)
    content = bytearray(archive.getvalue())
    if is_zstd:
        # Python's zipfile writes no zstd before 3.14: the method stands in both headers of a member
        with zipfile.ZipFile(archive) as log:
            for info in log.infolist():
                content[info.header_offset + 8 : info.header_offset + 10] = _ZSTD
        place = content.find(b"PK\x01\x02")
        while place >= 0:
            content[place + 10 : place + 12] = _ZSTD
            place = content.find(b"PK\x01\x02", place + 4)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("is_zstd", [False, True])
def test_samples_of_a_log_are_answers(tmp_path: Path, is_zstd: bool) -> None:
    answers = {"e1": "Yes.", "e2": None, "e3": "no"}
    delivered = read_predictions(_log(tmp_path / "a.eval", answers, is_zstd=is_zstd), layout_of())

    found = [json.loads(bytes(raw)) for run in delivered.runs(advance_unseen) for raw in run.raws]
    # a sample that ended in an error has none
    assert found == [
        {"example_id": "e1", "prediction": "Yes."},
        {"example_id": "e2"},
        {"example_id": "e3", "prediction": "no"},
    ]


def test_an_answer_in_parts_is_what_the_message_says(tmp_path: Path) -> None:
    content = [{"type": "reasoning", "reasoning": "a dog?"}, {"type": "text", "text": "Yes."}]
    sample = {"id": "e1", "output": {"choices": [{"message": {"content": content}}]}}
    path = tmp_path / "parts.eval"
    with zipfile.ZipFile(path, "w") as log:
        log.writestr("samples/e1_epoch_1.json", json.dumps(sample))

    assert list(eval_logs.samples(path)) == [("e1", "Yes.")]


def test_a_sample_that_is_none_is_named(tmp_path: Path) -> None:
    for content in ('{"id": ', "[]", '{"output": {}}', '{"id": "e1", "output": {"completion": 3}}'):
        path = tmp_path / "broken.eval"
        with zipfile.ZipFile(path, "w") as log:
            log.writestr("samples/e1_epoch_1.json", content)
        with pytest.raises(GainsayError, match=r"broken\.eval, samples/e1_epoch_1\.json: is no"):
            list(eval_logs.samples(path))


def test_a_log_that_is_cut_or_none_says_so(tmp_path: Path) -> None:
    whole = _log(tmp_path / "whole.eval", {"e1": "Yes."}, is_zstd=False).read_bytes()
    for content in (whole[: len(whole) // 2], b"no zip", b""):
        path = tmp_path / "broken.eval"
        path.write_bytes(content)
        with pytest.raises(GainsayError, match=r"broken\.eval"):
            read_predictions(path, layout_of())


@pytest.mark.parametrize("is_zstd", [False, True])
def test_a_sample_inflates_no_further_than_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_zstd: bool
) -> None:
    monkeypatch.setattr(eval_logs, "_LARGEST_SAMPLE", 10_000)
    path = _log(tmp_path / "bomb.eval", {"e1": "yes " * 10_000}, is_zstd=is_zstd)

    with pytest.raises(GainsayError, match=r"e1_epoch_1\.json: refused: more than 10,000 bytes"):
        read_predictions(path, layout_of())
