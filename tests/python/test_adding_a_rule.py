"""A rule is added as CONTRIBUTING says, in a copy of the project, and drops what it should."""

import csv
import filecmp
import re
from ast import literal_eval
from pathlib import Path

import pytest

from tests.python.conftest import PROJECT
from tests.python.project_copies import CopyWarehouse, copied_project

pytestmark = pytest.mark.xdist_group("adding_a_rule")

_STAGES = "macros/screening/stages.sql"
_UNIT_TEST = """
  - name: a_long_question_fails
    model: conflict_suite__question_findings
    given:
      - input: ref('conflict_suite__candidates')
        rows:
          - {question_id: 1, question: "is it red?", is_annotated: true}
          - {question_id: 2, question: "is it as red as the one beside?", is_annotated: true}
      - *openings
      - *families
      - *answer_forms
      - *stop_words
      - *none_withdrawn
    expect:
      rows:
        - {question_id: 1, passes_length: true}
        - {question_id: 2, passes_length: false}
"""


def _replace(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1, f"{file} has {text.count(old)} times {old!r}"
    file.write_text(text.replace(old, new))


def _add_gate(file: Path, screening: str, stage: str, reason: str) -> None:
    """A stage before all others."""
    lines = file.read_text().splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith(f"{screening},1,"))
    lines.insert(first, f"{screening},0,{stage},{reason},false,what a test does not like")
    file.write_text("\n".join(lines) + "\n")


def _add_rule_of_questions(project: Path) -> set[str]:
    """Long questions drop from the Conflict Suite; the files that say so."""
    findings = (
        "models/benchmarks/conflicts/conflict_suite/screening/conflict_suite__question_findings"
    )
    _replace(
        project / f"{findings}.sql",
        "    -- `gainsay withdraw` did not take the picture down\n",
        "    -- a long question is hard to follow\n"
        "    length(questions.question) <= 30 as passes_length,\n"
        "    -- `gainsay withdraw` did not take the picture down\n",
    )
    units = f"{findings.replace('models', 'tests/unit', 1)}.yml"
    (project / units).parent.mkdir(parents=True)
    (project / units).write_text((PROJECT / units).read_text() + _UNIT_TEST)
    gates = "seeds/conflict_suite/conflict_suite__gates.csv"
    _add_gate(project / gates, "conflict_suite", "length", "question_too_long")
    _replace(project / _STAGES, "'normalization', 'withdrawal+',", "'length', 'normalization',\n"
             "                    'withdrawal+',")  # fmt: skip
    return {f"{findings}.sql", units, gates, _STAGES}


def _add_rule_of_images(project: Path) -> set[str]:
    """Pictures of one source drop from Reality Check; the files that say so."""
    findings = "models/benchmarks/reality_check/screening/reality_check__listing_findings"
    _replace(
        project / f"{findings}.sql",
        "        -- Open Images: some box is of no depiction\n",
        "        -- no picture of the street\n"
        "        listed_images.source <> 'streetview' as passes_street,\n"
        "        listed_images.source as street_detail,\n"
        "        -- Open Images: some box is of no depiction\n",
    )
    _replace(
        project / f"{findings}.yml",
        "    columns:\n",
        "    columns:\n      - {name: street_detail, description: \"{{ doc('drop_detail') }}\"}\n",
    )
    gates = "seeds/reality_check/reality_check__gates.csv"
    _add_gate(project / gates, "reality_check_images", "street", "street_seen")
    _replace(project / _STAGES, "'date+', 'objects',", "'date+', 'street+', 'objects',")
    return {f"{findings}.sql", f"{findings}.yml", gates, _STAGES}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> CopyWarehouse:
    """A small corpus, screened by a copy of the project that has two more rules."""
    folder = tmp_path_factory.mktemp("adding_a_rule")
    project = copied_project(folder / "project", ["conflict_suite", "reality_check"])
    touched = _add_rule_of_questions(project) | _add_rule_of_images(project)
    # the column, its unit test, the gate, the list
    assert touched == {
        str(path.relative_to(project))
        for room in ("models", "tests/unit", "seeds", "macros")
        for path in (project / room).rglob("*")
        if path.is_file()
        and not filecmp.cmp(path, PROJECT / path.relative_to(project), shallow=False)
    }
    warehouse = CopyWarehouse(folder, project)
    warehouse.run("synth", "corpus", "--images", "20", "--no-images", "--reality-check")
    warehouse.run("land", "corpus")
    # the copy has the unit tests of the changed model alone
    warehouse.run(
        "build", "--unit-tests", "--select", "+conflict_suite__screened",
        "+reality_check__images_screened", "+reality_check__wanted_images",
        "--exclude-resource-type", "test",
    )  # fmt: skip
    return warehouse


def test_a_rule_drops_what_fails_it_alone(built: CopyWarehouse) -> None:
    dropped = built.rows("""
        select count(*), min(length(question)) > 30, min(drop_reason)
        from conflict_suite.conflict_suite__screened where drop_stage = 'length'
    """)
    [(n_dropped, *rest)] = dropped
    assert n_dropped > 0
    assert rest == [True, "question_too_long"]
    assert built.rows("""
        select count(*) from conflict_suite.conflict_suite__screened
        where is_retained and length(question) > 30
    """) == [(0,)]


def test_what_a_rule_drops_goes_no_further(built: CopyWarehouse) -> None:
    """The drop and `is_possible` are read from one list."""
    [(n_dropped, details)] = built.rows("""
        select count(*), list(distinct drop_detail)
        from reality_check.reality_check__images_screened where drop_stage = 'street'
    """)
    assert n_dropped > 0
    assert details == ["streetview"]
    assert built.rows("""
        select count(*) from reality_check.reality_check__listing_findings
        where is_possible and not passes_street
    """) == [(0,)]


def listed_stages() -> dict[str, dict[str, list[tuple[str, list[str]]]]]:
    """What `stages_of` lists, by benchmark and screening."""
    text = (PROJECT / _STAGES).read_text()
    literal = text[text.index("{%- set stages = ") + 17 : text.index(" %}\n    {%- set screenings")]
    stages: dict[str, dict[str, list[tuple[str, list[str]]]]] = literal_eval(literal.strip())
    return stages


def test_every_finding_is_a_stage() -> None:
    listed: dict[str, set[str]] = {}
    details: dict[str, set[str]] = {}
    for screenings in listed_stages().values():
        for entries in screenings.values():
            for model, stages in entries:
                listed.setdefault(model, set()).update(stage.rstrip("+") for stage in stages)
                details.setdefault(model, set()).update(
                    stage[:-1] for stage in stages if stage.endswith("+")
                )
    for model, known in listed.items():
        (file,) = (PROJECT / "models/benchmarks").rglob(f"{model}.sql")
        text = file.read_text()
        # a finding that is read from another model of the list is a stage there
        read = set[str]().union(
            *(listed.get(name, ()) for name in re.findall(r"ref\('(\w+)'", text))
        )
        assert set(re.findall(r"\bpasses_(\w+)", text)) <= known | read, model
        if model.endswith("_findings"):
            found = set(re.findall(r"\b(\w+)_detail\b", text)) & known
            assert found == details[model], model


def test_every_stage_has_a_gate_and_every_gate_a_stage() -> None:
    for benchmark, screenings in listed_stages().items():
        with (PROJECT / f"seeds/{benchmark}/{benchmark}__gates.csv").open(newline="") as file:
            gates = list(csv.DictReader(file))
        of_all = {stage.rstrip("+") for _, names in screenings.get("each", []) for stage in names}
        for screening in {gate["screening"] for gate in gates}:
            named = {gate["stage"] for gate in gates if gate["screening"] == screening}
            listed = {stage.rstrip("+") for _, names in screenings[screening] for stage in names}
            assert named - listed - of_all == {"retained"}, screening
            assert listed <= named, screening
