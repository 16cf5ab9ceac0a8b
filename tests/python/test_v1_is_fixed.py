"""Version 1 of the Conflict Suite is fixed: the same corpus gives the same records, for good.

What is compared is what a benchmark's users rely on: the ids of each split, and the content of the
records over the columns that version 1 has. Columns that join later, the echo of the configuration
and the version of the code may change.
"""

from pathlib import Path

import pytest

from tests.python.conftest import Warehouse
from tests.python.real_data import needs_real_sample

# split, or `examples` for the content of all records: rows and sha256
TINY = {
    "examples": (294, "c203d165605aed81273638b2c5c7d09b5b358071ef16ed6e5e819b0f7f89986e"),
    "test_id": (42, "1c2dd60aa42b7be529517f3d872f9845e875fd0a84d778d50dec90e1b48613e5"),
    "test_ood_family": (28, "488ebbc456e0da72329267969fb27dc2582b88b332568c202026641a7d1a1f1c"),
    "test_ood_severity": (38, "e03525ba33e48c5fa7b90c7bee6ee3f896810dd546d0b7b6ff3ad561ebd13a9c"),
    "train": (174, "58bec91d0b25d885e40ae4e3221ec4a7503258c685307bf4b22dca80033cf214"),
    "val": (12, "c1991d3c82f981af19ad467dfdcd52c7605868407018bbb969eb9e9d24cb475f"),
}
DEFAULT = {
    "examples": (2555, "d233dbb70057acde777fedf8bf1396264b21a9558957f3e8e53d8446830d009e"),
    "test_id": (270, "f22a757ee5a776fcdff60599398e5d8b538f9703f8727ef61661c9d1f4164932"),
    "test_ood_family": (175, "44e5e24f03d4cdff8076b8481d6d9a6943360d7afd242cb387cf7eafed614a92"),
    "test_ood_severity": (340, "542fad1862e7bbd494662e7785dcb52de148fa9db7e7de224828ebd369e572b6"),
    "train": (1374, "948246334c59f5bb704198d3f707348e75749b5a24ac5660088a5c0bb2c1b553"),
    "val": (396, "0e9ebe089438fd4a56c5d0bc3db533ce7a1027ca99345c364f9904cee97ac394"),
}
REAL = {
    "examples": (24374, "4dc623a2c76255c2d8d8288bff83c3f3fde55df07373b647bd93a14b766b5e70"),
    "test_id": (2898, "b5637dd78f5e7969f66ce64c5e79a641fa6eee9478dd9eb34b68ca53e1614683"),
    "test_ood_family": (28, "c29bc51be947e46f2cfbca332a902aba4b7ed4b6cea68f274c4c609e87a3de68"),
    "test_ood_severity": (3478, "1c88cf971e4a264d0ea1179a6d595a1ff4759143187ed4ff7b533cdac1550ab5"),
    "train": (14742, "f3dc0afd17134ab95574b346abeecc378a6de77e2090ede5bae60170ffee367c"),
    "val": (3228, "5745067706801502f254d25ee809580641732eb851253b0ba827f38ed19cd1d5"),
}


def hashes(warehouse: Warehouse) -> dict[object, tuple[int, object]]:
    """The rows and the sha256 of each split and of the records, as the manifest has them."""
    rows = warehouse.rows("""
        select
            item,
            max(value) filter (where measure = 'n'),
            max(value) filter (where measure = 'sha256')
        from conflict_suite.conflict_suite__manifest
        where section in ('content', 'split')
        group by item
    """)
    return {item: (int(str(n)), sha256) for item, n, sha256 in rows}


def test_twenty_synthetic_images(tiny_corpus: Path, tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.gainsay("land", tiny_corpus)
    assert hashes(warehouse.build_suite()) == TINY


def test_the_default_synthetic_corpus(synthetic: Warehouse) -> None:
    assert hashes(synthetic) == DEFAULT


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_the_real_sample(real: Warehouse) -> None:
    assert hashes(real) == REAL
