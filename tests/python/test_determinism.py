"""The same records give the same hashes, whatever the threads, the files' order or the run."""

import json
import random
from pathlib import Path

from tests.python.conftest import Warehouse

HASHES = """
    select section, item, measure, value
    from conflict_suite.conflict_suite__manifest
    where section in ('content', 'split', 'distribution', 'vocabulary', 'integrity')
    order by all
"""

SCREENING = """
    select * exclude (base_id)
    from conflict_suite.conflict_suite__screened
    order by question_id
"""


# two threads, the default, have built `synthetic`; one builds it after a kill, in test_build_faults
def test_shuffled_files_and_other_threads_give_the_same_hashes(
    synthetic: Warehouse, corpus: Path, tmp_path: Path
) -> None:
    shuffled = tmp_path / "files"
    shuffled.mkdir()
    dice = random.Random(1)
    for path in sorted(corpus.glob("*.json")):
        content = json.loads(path.read_text())
        for name in ("questions", "annotations", "images"):
            dice.shuffle(content.get(name, []))
        (shuffled / path.name).write_text(json.dumps(content))
    warehouse = Warehouse(tmp_path)
    # the last file of the corpus lands first
    for path in sorted(shuffled.iterdir(), reverse=True):
        warehouse.gainsay("land", path)

    warehouse.environment |= {"GAINSAY_DBT_THREADS": "8", "GAINSAY_DUCKDB_THREADS": "8"}
    assert warehouse.build_suite().rows(HASHES) == synthetic.rows(HASHES)
    assert warehouse.rows(SCREENING) == synthetic.rows(SCREENING)


def test_another_seed_changes_splits_and_donors_and_no_screening(
    synthetic: Warehouse, reseeded: Warehouse
) -> None:
    splits = """
        select distinct source_image_id, base_split
        from conflict_suite.conflict_suite__bases
        order by all
    """
    donors = """
        select base_id, easy_donor_base_id, hard_donor_base_id
        from conflict_suite.conflict_suite__donors
        order by all
    """
    assert reseeded.rows(splits) != synthetic.rows(splits)
    assert reseeded.rows(donors) != synthetic.rows(donors)
    assert reseeded.rows(SCREENING) == synthetic.rows(SCREENING)
