"""A release of the demo is what other people's tools read and run, wherever its folder lies."""

import json
import shutil
import socket
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.python.conftest import Warehouse, once
from tests.python.demos import Demo

pytestmark = pytest.mark.xdist_group("demo")


@pytest.fixture(scope="session")
def released(shared_folder: Path, demo: Demo) -> Path:
    """The Conflict Suite of the demo, released in the formats that the Hub shows and runs."""

    def make(folder: Path) -> None:
        shutil.copy(demo.warehouse, folder / "gainsay.duckdb")
        warehouse = Warehouse(folder, GAINSAY_RENDERINGS=str(demo.folder / "data/demo/renderings"))
        # a process of its own reads the project anew, with the demo's benchmarks alone
        program = str(Path(sys.executable).with_name("gainsay"))
        formats = ["--format", "hugging-face", "--format", "inspect"]
        warehouse.process([program, "release", "conflict_suite", str(folder / "out"), *formats])

    [folder] = (once(shared_folder, "demo_release", make) / "out").iterdir()
    return folder


@pytest.fixture
def elsewhere(released: Path, tmp_path: Path) -> Path:
    """The same folder, copied."""
    return Path(shutil.copytree(released, tmp_path / released.name))


def test_croissant_has_the_fields_that_neurips_asks_for(elsewhere: Path) -> None:
    stated: dict[str, Any] = json.loads((elsewhere / "croissant.json").read_bytes())
    asked = {
        "rai:dataLimitations", "rai:dataBiases", "rai:personalSensitiveInformation",
        "rai:dataUseCases", "rai:dataSocialImpact", "rai:hasSyntheticData", "prov:wasDerivedFrom",
        "prov:wasGeneratedBy",
    }  # fmt: skip
    assert asked <= stated.keys()
    assert stated["rai:hasSyntheticData"] is True
    manifest = json.loads((elsewhere / "manifest.json").read_bytes())
    assert {one["@id"] for one in stated["prov:wasDerivedFrom"]} == {
        f"urn:sha256:{one['sha256']}" for one in manifest["input"].values()
    }
    assert all(one["sc:license"].startswith("https://") for one in stated["prov:wasDerivedFrom"])
    assert [one["prov:label"] for one in stated["prov:wasGeneratedBy"]] == [
        "Data collection", "Data annotation", "Data manipulation", "Screening",
    ]  # fmt: skip
    [agent] = stated["prov:wasGeneratedBy"][-1]["prov:wasAssociatedWith"]
    assert agent["prov:label"] == f"gainsay {manifest['code']['gainsay']['version']}"


def test_mlcroissant_reads_a_record_of_each_set_without_network(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import mlcroissant

    monkeypatch.delattr(socket.socket, "connect")
    dataset = mlcroissant.Dataset(jsonld=str(elsewhere / "croissant.json"))
    assert dataset.metadata.ctx.issues.errors == set()
    assert dataset.metadata.ctx.issues.warnings == set()
    for record_set in dataset.metadata.record_sets:
        [record] = islice(dataset.records(record_set.uuid), 1)
        assert {name.partition("/")[0] for name in record} == {record_set.uuid}
