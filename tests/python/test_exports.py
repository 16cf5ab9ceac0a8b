"""Exports are read back by the tools that they are for, or by those tools' documented rules."""

import base64
import importlib.util
import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import Path as ZipPath

import pytest
import yaml
from PIL import Image

from gainsay.lm.prompt_files import read_picture_prompt
from gainsay.lm.stated_actions import split_answer
from tests.python.conftest import CLASH_FORMATS, FORMATS, PROJECT, Warehouse, vars_of_exports
from tests.python.hugging_face import load_dataset
from tests.python.real_data import REAL_SAMPLE, needs_real_sample

pytestmark = [needs_real_sample, pytest.mark.xdist_group("exports")]

Record = dict[str, Any]


@pytest.fixture(scope="module")
def available(exported: Warehouse) -> dict[str, Record]:
    """The records whose picture is given along, by id."""
    query = """
        from exports.exports__records
        where benchmark = 'conflict_suite' and picture_state = 'available'
    """
    with exported.connect() as connection:
        cursor = connection.execute(query)
        names = [column[0] for column in cursor.description or ()]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    assert len(rows) > 50
    return {row["example_id"]: row for row in rows}


def _pixels(data: bytes) -> bytes:
    with Image.open(BytesIO(data)) as image:
        return image.convert("RGB").tobytes()


def _source(record: Record) -> bytes:
    return Path(record["image_path"]).read_bytes()


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("kind", [*FORMATS, *CLASH_FORMATS])
def test_a_build_and_the_command_write_the_same_files(
    exported: Warehouse, tmp_path: Path, kind: str
) -> None:
    exported.gainsay("export", kind, tmp_path / "out", "--split", "all")
    files = _files(tmp_path / "out")

    built = _files(exported.folder / kind)
    assert len(files) >= 2
    assert files == built


def test_a_format_is_a_view_until_a_build_is_asked_for_its_files(
    tmp_path: Path, exported: Warehouse
) -> None:
    path = tmp_path / "gainsay.duckdb"
    path.write_bytes(exported.path.read_bytes())
    warehouse = Warehouse(tmp_path, path, GAINSAY_EXPORTS=str(tmp_path / "given"))
    query = "from exports.exports__llava order by benchmark, example_id"
    from_files = warehouse.rows(query)

    warehouse.dbt("build", "--select", "exports__llava", "exports__jsonl")
    assert warehouse.rows(query) == from_files
    assert _files(tmp_path / "given") == {}

    warehouse.dbt(
        "build", "--select", "exports__llava", "exports__jsonl", "--vars", vars_of_exports("llava")
    )
    assert warehouse.rows(query) == from_files
    assert {name.partition("/")[0] for name in _files(tmp_path / "given")} == {
        "llava", "exports__llava.parquet",
    }  # fmt: skip
    # a view of a file that is gone is named, with the way back
    (tmp_path / "given/exports__llava.parquet").unlink()
    process = warehouse.gainsay("export", "llava", tmp_path / "out", check=False)
    assert process.returncode == 1
    assert "exports.exports__llava: run `dbt build` again: " in process.stderr


def test_nothing_to_export_fails_the_build_that_asks_for_it(
    synthetic: Warehouse, tmp_path: Path
) -> None:
    path = tmp_path / "gainsay.duckdb"
    path.write_bytes(synthetic.path.read_bytes())
    warehouse = Warehouse(tmp_path, path, GAINSAY_EXPORTS=str(tmp_path / "given"))

    process = warehouse.dbt(
        "run", "--select", "exports__dpo", "exports__jsonl",
        "--vars", vars_of_exports(*FORMATS, *CLASH_FORMATS), check=False,
    )  # fmt: skip

    # no picture is landed, which the format without any does not mind
    assert process.returncode == 1
    assert "nothing to export: no picture is available (" in process.stdout
    assert "ERROR=1" in process.stdout
    assert {name.partition("/")[0] for name in _files(tmp_path / "given")} == {
        "jsonl", "exports__dpo.parquet", "exports__jsonl.parquet",
    }  # fmt: skip


def test_jsonl_holds_every_record(exported: Warehouse) -> None:
    import pandas as pd

    frame = pd.read_json(exported.folder / "jsonl/records.jsonl", lines=True)
    assert len(frame) == 24_374
    assert frame["example_id"].is_unique


def test_no_picture_leaves_against_its_licence(
    exported: Warehouse, available: dict[str, Record]
) -> None:
    forbidden = exported.rows("""
        select count(*) from exports.exports__records
        where picture_state = 'license_forbids_derivatives' and image_path is not null
            and not allows_derivatives
    """)
    allowed = {record["license_url"] for record in available.values()}

    # all landed photographs allow derivatives, hence none of them is refused
    assert forbidden == [(0,)]
    assert not {url for url in allowed if "-nd/" in url}
    # what is shown as it is takes no such leave
    assert exported.rows("""
        select distinct allows_derivatives, recipe_id is null from exports.exports__records
        where picture_state = 'license_forbids_derivatives'
    """) == [(False, False)]


def test_corrupted_pictures_are_the_rendered_ones(available: dict[str, Record]) -> None:
    by_variant = {record["variant_id"]: record for record in available.values()}
    photograph, corrupted = (
        _pixels(_source(by_variant[variant])) for variant in ("clean", "vision_corrupt_s3")
    )

    assert "/renderings/" in by_variant["vision_corrupt_s3"]["image_path"]
    assert corrupted != photograph


def test_commercial_use_is_asked_for_by_var(tmp_path: Path, exported: Warehouse) -> None:
    path = tmp_path / "gainsay.duckdb"
    path.write_bytes(exported.path.read_bytes())
    commercial = Warehouse(tmp_path, path)
    commercial.dbt(
        "run", "--select", "exports__pictures", "exports__records", "--vars",
        "{export_requires_commercial_use: true}",
    )  # fmt: skip
    states = dict(
        commercial.rows("""
        select picture_state, bool_and(allows_commercial_use)
        from exports.exports__records group by all
    """)
    )

    assert states["available"] is True
    assert states["license_forbids_commercial_use"] is False


def test_hugging_face_loads_it_with_pictures(
    exported: Warehouse, available: dict[str, Record], tmp_path: Path
) -> None:
    import datasets

    loaded = load_dataset(str(exported.folder / "hugging-face"), cache_dir=str(tmp_path / "cache"))
    rows = [row for split in loaded.values() for row in split]

    assert isinstance(loaded["train"].features["image"], datasets.Image)
    assert {split: len(part) for split, part in loaded.items()} == {
        split: sum(record["split"] == split for record in available.values())
        for split in {record["split"] for record in available.values()}
    }
    assert {row["example_id"] for row in rows} == set(available)
    for row in rows:
        record = available[row["example_id"]]
        assert row["gold_answer"] == record["gold_answer"]
        assert row["license_url"] == record["license_url"]
        assert row["image"].convert("RGB").tobytes() == _pixels(_source(record))


def test_image_folder_loads_it_with_pictures(
    exported: Warehouse, available: dict[str, Record], tmp_path: Path
) -> None:
    loaded = load_dataset(
        "imagefolder",
        data_dir=str(exported.folder / "image-folder"),
        split="train",
        cache_dir=str(tmp_path / "cache"),
    )

    assert {row["example_id"] for row in loaded} == set(available)
    first = loaded[0]
    source = _source(available[first["example_id"]])
    assert first["image"].convert("RGB").tobytes() == _pixels(source)


def test_vlmevalkit_columns_and_pictures(exported: Warehouse, available: dict[str, Record]) -> None:
    """Its VQA data sets: a TSV with index, image in base64, question and answer.

    VLMEvalKit is on no package index, so its documented layout stands in for it.
    """
    import pandas as pd

    frame = pd.read_csv(
        exported.folder / "vlmevalkit/GainsayConflictSuite.tsv", sep="\t", keep_default_na=False
    )

    assert list(frame.columns[:4]) == ["index", "image", "question", "answer"]
    assert list(frame["index"]) == list(range(len(available)))
    # a picture stands in the first row that shows it, whose index the others have
    pictures = dict(zip(map(str, frame["index"]), map(str, frame["image"]), strict=True))
    whole = [picture for picture in pictures.values() if len(picture) > 64]
    assert len(whole) == len(set(whole)) == len({one["image"] for one in available.values()})
    for row in frame.to_dict("records"):
        record = available[row["example_id"]]
        picture = str(row["image"])
        assert base64.b64decode(pictures.get(picture, picture)) == _source(record)
        assert record["question"] in row["question"]
        assert str(row["answer"]) == record["gold_answer"]


def test_lmms_eval_task_runs_by_its_rules(
    exported: Warehouse, available: dict[str, Record], tmp_path: Path
) -> None:
    """Its tasks: a YAML that names functions of utils.py with `!function`.

    lmms-eval wants torch and 150 packages beside it to read one YAML, so here its loader's rules
    (0.7.3) stand in for it: `load_dataset(dataset_path, **dataset_kwargs)[test_split]`. The next
    test runs it.
    """
    folder = exported.folder / "lmms-eval"

    class Loader(yaml.SafeLoader):
        """Reads `!function` as the function's name."""

    Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
    task = yaml.load((folder / "gainsay_conflict_suite.yaml").read_text(), Loader)
    spec = importlib.util.spec_from_file_location("utils", folder / "utils.py")
    assert spec is not None
    assert spec.loader is not None
    utils = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(utils)
    # it looks for them beside the task
    files = {
        split: [str(folder / name) for name in names]
        for split, names in task["dataset_kwargs"]["data_files"].items()
    }
    loaded = load_dataset(
        task["dataset_path"], data_files=files, cache_dir=str(tmp_path / "cache")
    )[task["test_split"]]

    def call(name: str, *arguments: object) -> Any:
        return getattr(utils, task[name].removeprefix("utils."))(*arguments)

    # what is for training or development is no part of the test
    tested = {name for name, one in available.items() if one["split"].startswith("test_")}
    assert {doc["example_id"] for doc in loaded} == tested
    assert len(loaded) == len(tested) > 5
    for doc in loaded:
        record = available[doc["example_id"]]
        assert call("doc_to_visual", doc)[0].mode == "RGB"
        assert record["text_input"] in call("doc_to_text", doc)
        target = call("doc_to_target", doc)
        assert target == record["gold_answer"]
        answer = f"I would say {target.upper()}."
        measured = call("process_results", doc, [answer])
        assert measured["accuracy"] == [True, 1]
        said = {"example_id": doc["example_id"], "prediction": answer}
        assert measured["gainsay_answer"] == said
        assert call("process_results", doc, ["I can't tell."])["coverage"] == [False, 1]
    assert {"group_accuracy", "task_success", "accuracy_test_id", "gainsay_answer"} <= {
        m["metric"] for m in task["metric_list"]
    }


def test_llava_conversations(exported: Warehouse, available: dict[str, Record]) -> None:
    """Its SFT files: id, image and conversations, human first, with `<image>` once."""
    folder = exported.folder / "llava"
    records = json.loads((folder / "llava_sft.json").read_text())

    assert {record["id"] for record in records} == set(available)
    for record in records:
        human, model = record["conversations"]
        assert (human["from"], model["from"]) == ("human", "gpt")
        assert human["value"].count("<image>") == 1
        assert model["value"] == available[record["id"]]["gold_answer"]
        assert (folder / record["image"]).read_bytes() == _source(available[record["id"]])


def test_dpo_preferences(exported: Warehouse, available: dict[str, Record], tmp_path: Path) -> None:
    """TRL's vision preferences: images, and prompt, chosen and rejected as conversations."""
    loaded = load_dataset(
        "json",
        data_files=str(exported.folder / "dpo/dpo.jsonl"),
        split="train",
        cache_dir=str(tmp_path / "cache"),
    )

    assert len(loaded) == len(available)
    for row in loaded:
        assert [part["type"] for part in row["prompt"][0]["content"]] == ["image", "text"]
        assert len(row["images"]) == 1
        assert row["chosen"][0]["role"] == row["rejected"][0]["role"] == "assistant"
        assert row["chosen"] != row["rejected"]
        assert (exported.folder / "dpo" / row["images"][0]).is_file()


def test_clash_mix_is_conversations(exported: Warehouse, tmp_path: Path) -> None:
    """TRL's vision fine-tuning: images, and messages that end in the right choice."""
    folder = exported.folder / "clash-sft"
    loaded = load_dataset(str(folder), split="train", cache_dir=str(tmp_path / "cache"))
    rows = exported.rows("""
        select example_id, caption_shown, right_letter, right_choice, image_path
        from exports.exports__clash_finetuning
        where picture_state = 'available'
    """)

    assert len(loaded) == len(rows) > 10
    assert {row["condition"] for row in loaded} == {"conflicting", "original"}
    records = {row["example_id"]: row for row in loaded}
    for example_id, caption, letter, choice, path in rows:
        record = records[example_id]
        user, assistant = record["messages"]
        assert [part["type"] for part in user["content"]] == ["image", "text"]
        assert f"Caption: {caption}\n" in user["content"][1]["text"]
        answer = f"({letter}) {choice}"
        assert assistant["content"][0]["text"] == answer
        # the answer is one of the four choices that are offered
        assert answer in user["content"][1]["text"].splitlines()
        right = "conflicting" if choice.startswith("Conflicting") else "original"
        assert record["condition"] == right
        assert (folder / record["images"][0]).read_bytes() == Path(str(path)).read_bytes()
    assert f"Records: {len(rows):,}." in (folder / "README.md").read_text()


@pytest.mark.parametrize(
    ("kind", "token", "first_line"),
    [
        ("clash-llava", "<image>\n", "Caption: "),
        ("clash-mplug-owl", "<|image|>", "Use both the picture and the caption. "),
    ],
)
@pytest.mark.parametrize("task", ["multiple_choice", "open_ended"])
def test_clash_mix_is_in_the_layout_of_its_trainer(
    exported: Warehouse, tmp_path: Path, kind: str, token: str, first_line: str, task: str
) -> None:
    """The trainers' own reader: arrays of id, image and turns, one picture's token in the first."""
    folder = exported.folder / kind
    records = json.loads((folder / f"{kind.replace('-', '_')}_{task}.json").read_text())
    rows = exported.rows("""
        select example_id, condition, caption_shown, question, choices_text, right_letter,
            right_choice, image_path
        from exports.exports__clash_finetuning
        where picture_state = 'available' order by example_id
    """)

    assert [record["id"] for record in records] == [row[0] for row in rows]
    assert len(rows) > 10
    for record, row in zip(records, rows, strict=True):
        _, condition, caption, question, choices_text, letter, choice, image_path = row
        human, gpt = record["conversations"]
        assert (human["from"], gpt["from"]) == ("human", "gpt")
        assert human["value"].startswith(token + first_line)
        assert human["value"].count(token.strip()) == 1
        lines = human["value"].removeprefix(token).splitlines()
        assert f"Caption: {caption}" in lines
        assert question in lines
        offers_choices = task == "multiple_choice"
        assert (str(choices_text) in human["value"]) == offers_choices
        assert gpt["value"] == (f"({letter})" if offers_choices else choice)
        says_so = str(choice).startswith("Conflicting information")
        assert says_so == (condition == "conflicting")
        assert (folder / record["image"]).read_bytes() == Path(str(image_path)).read_bytes()
    loaded = load_dataset(str(folder), task, split="train", cache_dir=str(tmp_path / "cache"))
    assert len(loaded) == len(rows)


def test_r_tuning_says_how_sure(exported: Warehouse, available: dict[str, Record]) -> None:
    records = json.loads((exported.folder / "r-tuning/r_tuning.json").read_text())
    assert {record["id"] for record in records} == set(available)
    assert all(record["text"].endswith("I am sure.") for record in records)


def test_edited_pictures_have_the_objects_of_their_photographs(
    exported: Warehouse, available: dict[str, Record]
) -> None:
    """COCO's own reader: edited pictures of the same size, with masks and boxes that fit them."""
    from pycocotools.coco import COCO

    folder = exported.folder / "coco-instances"
    coco = COCO(str(folder / "instances.json"))
    edited = {key: record for key, record in available.items() if record["vision_family"]}
    annotations = {
        (path.stem, annotation["id"]): annotation
        for path in ZipPath(REAL_SAMPLE / "annotations_trainval2017.zip", "annotations/").iterdir()
        if path.name.startswith("instances_")
        for annotation in json.loads(path.read_bytes())["annotations"]
    }
    source = {number: annotation for (_, number), annotation in annotations.items()}

    assert {e for image in coco.imgs.values() for e in image["example_ids"]} == set(edited)
    assert len(coco.imgs) == len({record["image_path"] for record in edited.values()})
    assert len(coco.anns) > len(coco.imgs)
    for image in coco.imgs.values():
        record = edited[image["example_ids"][0]]
        data = (folder / image["file_name"]).read_bytes()
        assert data == _source(record)
        with Image.open(BytesIO(data)) as picture:
            assert picture.size == (image["width"], image["height"])
        [terms] = [term for term in coco.dataset["licenses"] if term["id"] == image["license"]]
        assert terms["url"] == record["license_url"]
        found = coco.loadAnns(coco.getAnnIds(imgIds=image["id"]))
        expected = [
            a for a in source.values() if f"coco-{a['image_id']}" == record["shown_image_id"]
        ]
        assert {a["source_instance_id"] for a in found} == {a["id"] for a in expected}
        for annotation in found:
            original = source[annotation["source_instance_id"]]
            assert all(
                annotation[name] == original[name]
                for name in ("category_id", "bbox", "area", "iscrowd", "segmentation")
            )
            mask = coco.annToMask(annotation)
            assert mask.shape == (image["height"], image["width"])
            assert mask.sum() == pytest.approx(original["area"], rel=0.2, abs=60)
    people = coco.loadCats(coco.getCatIds(catNms=["person"]))
    assert [(category["id"], category["supercategory"]) for category in people] == [(1, "person")]


@pytest.mark.parametrize("kind", FORMATS)
def test_every_export_has_a_card(
    exported: Warehouse, available: dict[str, Record], kind: str
) -> None:
    card = (exported.folder / kind / "README.md").read_text()
    front, _, body = card.removeprefix("---\n").partition("---\n")
    edited = [record for record in available.values() if record["vision_family"]]
    n = {"jsonl": 24_374, "coco-instances": len(edited)}.get(kind, len(available))

    assert yaml.safe_load(front)["license"] == "other"
    assert f"Format: {kind}. Records: {n:,}." in body
    for heading in ("Licences", "Intended use", "Known limits", "Manifest"):
        assert f"## {heading}\n" in body
    sha256 = exported.rows("""
        select value from conflict_suite.conflict_suite__manifest
        where section = 'content' and measure = 'sha256'
    """)[0][0]
    assert str(sha256) in body


def test_an_export_finds_renderings_from_another_folder(
    exported: Warehouse, tmp_path: Path
) -> None:
    environment = {
        name: value for name, value in exported.environment.items() if name != "GAINSAY_RENDERINGS"
    } | {"PYTHONPATH": str(PROJECT)}
    subprocess.run(
        [sys.executable, "-m", "gainsay", "export", "coco-instances", "out",
         "--split", "all"],
        cwd=tmp_path, env=environment, check=True,
    )  # fmt: skip
    assert _files(tmp_path / "out") == _files(exported.folder / "coco-instances")


@pytest.mark.parametrize("benchmark", ["conflict_suite", "conflict_suite_refined"])
def test_a_selector_learns_the_action_as_predict_asks_for_it(
    exported: Warehouse, tmp_path: Path, benchmark: str
) -> None:
    """What it is to say reads as an answer of a model does, and is the oracle's."""
    together = ("--benchmark", benchmark, "--split", "all")
    exported.gainsay("export", "action-sft", tmp_path / "out", *together)
    records = json.loads((tmp_path / "out/action_sft.json").read_text())
    prompt = read_picture_prompt(benchmark, "answer_and_action")
    right = {
        example_id: (action, target or "cannot answer")
        for example_id, action, target in exported.rows(f"""
            select example_id, oracle_action, target from {benchmark}.{benchmark}__examples
        """)
    }

    assert len(records) > 5
    for record in records:
        human, model = record["conversations"]
        assert "Action: require_agreement, trust_vision, trust_text or abstain" in human["value"]
        assert split_answer(prompt, model["value"]) == right[record["id"]]


def test_another_answer_of_either_side_asks_for_abstention_in_every_format(
    exported: Warehouse,
) -> None:
    for model, column, expected in (
        ("records", "target", "cannot answer"), ("dpo", "target", "cannot answer"),
        ("llava", "target", "cannot answer"), ("lmms_eval", "target", "cannot answer"),
        ("action_sft", "target", "cannot answer"), ("r_tuning", "is_sure", False),
    ):  # fmt: skip
        rows = exported.rows(f"""
            select exported.{column}
            from exports.exports__{model} as exported
            inner join conflict_suite_refined.conflict_suite_refined__examples
                using (example_id)
            where
                protocol = 'refined'
                and 'different' in (text_state, image_state)
                and exported.benchmark = 'conflict_suite_refined'
        """)
        assert set(rows) == {(expected,)}, model
    assert exported.rows("""
        select example_id
        from exports.exports__dpo as exported
        inner join conflict_suite_refined.conflict_suite_refined__examples as examples
            using (example_id)
        where examples.target is null and exported.rejected = 'cannot answer'
    """) == []  # fmt: skip


def test_pairs_of_uncertainty_are_preferences_both_ways(
    exported: Warehouse, tmp_path: Path
) -> None:
    """What is right on one side of a pair is rejected on the other, for TRL as for LLaVA."""
    for kind in ("dpo", "llava"):
        together = ("--benchmark", "certainly_uncertain", "--split", "all", "--one-sided")
        exported.gainsay("export", kind, tmp_path / kind, *together)
    loaded = load_dataset(
        "json",
        data_files=str(tmp_path / "dpo/dpo.jsonl"),
        split="train",
        cache_dir=str(tmp_path / "cache"),
    )
    preferences = [
        tuple(row[side][0]["content"][0]["text"] for side in ("chosen", "rejected"))
        for row in loaded
    ]
    pairs = exported.rows("""
        select answers.answer, others.answer
        from certainly_uncertain.certainly_uncertain__examples as answers
        inner join certainly_uncertain.certainly_uncertain__examples as others
            on answers.pair_id = others.pair_id and answers.operator <> others.operator
        inner join exports.exports__records as records
            on answers.example_id = records.example_id
            and records.benchmark = 'certainly_uncertain'
            and records.picture_state = 'available'
            and records.split <> 'held_back'
    """)
    assert len(preferences) > 20
    assert sorted(preferences) == sorted((str(right), str(wrong)) for right, wrong in pairs)

    conversations = json.loads((tmp_path / "llava/llava_sft.json").read_text())
    said = sorted(record["conversations"][1]["value"] for record in conversations)
    assert said == sorted(str(right) for right, _ in pairs)


def test_lmms_eval_scores_uncertainty(
    exported: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its functions, as its loader calls them: by rule, and with a judge's file of ratings."""
    import pandas as pd

    together = ("--benchmark", "certainly_uncertain", "--split", "all")
    exported.gainsay("export", "lmms-eval", tmp_path, *together)
    spec = importlib.util.spec_from_file_location("uncertain_utils", tmp_path / "utils.py")
    assert spec is not None
    assert spec.loader is not None
    utils = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(utils)
    docs = pd.concat(map(pd.read_parquet, sorted((tmp_path / "data").iterdir()))).to_dict("records")

    def scores(answer: str | None) -> tuple[float, float]:
        said = [doc["target"] if answer is None else answer for doc in docs]
        found = utils.scoring.scores(zip(docs, said, strict=True))
        return found["lave_idk"], found["f1_idk"]

    # of one question on two pictures one side may be exported alone
    [(share_open,)] = exported.rows("""
        select avg(case when examples.is_answerable then 0 else 1 end)
        from certainly_uncertain.certainly_uncertain__examples as examples
        inner join exports.exports__records as records using (example_id)
        where records.benchmark = 'certainly_uncertain' and records.picture_state = 'available'
            and examples.split <> 'held_back'
    """)
    share = float(str(share_open))
    assert scores(None) == (1, 1)
    assert scores("I don\u2019t know.") == pytest.approx((share, 2 * share / (1 + share)))
    assert scores("") == (0, 0)
    # a wrong answer to what can be answered has no rating, and is worth nothing
    assert scores("something else") == (0, 0)
    ratings = tmp_path / "ratings.jsonl"
    ratings.write_text(
        "\n".join(json.dumps({"example_id": doc["example_id"], "rating": 2}) for doc in docs)
    )
    monkeypatch.setenv("GAINSAY_LAVE_RATINGS", str(ratings))
    utils.scoring.ratings.cache_clear()
    assert scores("something else") == pytest.approx(((1 - share) / 2, 0))


@pytest.mark.parametrize("kind", [kind for kind in FORMATS if kind != "jsonl"])
def test_every_format_names_its_picture_in_the_same_way(exported: Warehouse, kind: str) -> None:
    rows = exported.rows(rf"""
        select count(*), count(*) filter (where named.image = records.image
            and regexp_full_match(named.image, 'images/[\w-]+[.]jpg'))
        from exports.exports__{kind.replace("-", "_")} as named
        inner join exports.exports__records as records using (benchmark, example_id)
        where records.picture_state = 'available'
    """)
    ((n, n_alike),) = rows
    assert n == n_alike
    assert int(str(n)) > 20


@pytest.mark.parametrize("kind", ["jsonl", "r-tuning", "lmms-eval"])
def test_no_file_holds_two_splits_unless_they_are_wanted_together(
    exported: Warehouse, tmp_path: Path, kind: str
) -> None:
    exported.gainsay("export", kind, tmp_path / "apart")

    # jsonl has those without a picture, too
    splits = {
        str(name): n
        for name, n in exported.rows(f"""
            select split, count(*) from exports.exports__{kind.replace("-", "_")}
            where benchmark = 'conflict_suite'
                and ('{kind}' = 'jsonl' or picture_state = 'available')
            group by all
        """)
    }
    folders = {path.name: path for path in (tmp_path / "apart").iterdir()}
    assert folders.keys() == splits.keys()
    assert len(splits) > 1
    for split, folder in folders.items():
        assert f"Records: {splits[split]:,}." in (folder / "README.md").read_text()
    # all together, into the same folder: what is of one split goes, and somebody's file stays
    (tmp_path / "apart/train/notes.txt").write_text("mine")
    exported.gainsay("export", kind, tmp_path / "apart", "--split", "all")
    folders = {path.name for path in (tmp_path / "apart").iterdir() if path.is_dir()}
    assert folders & splits.keys() == {"train"}
    assert [path.name for path in (tmp_path / "apart/train").iterdir()] == ["notes.txt"]


def test_nothing_to_export_is_an_error(exported: Warehouse, tmp_path: Path) -> None:
    process = exported.gainsay(
        "export", "llava", tmp_path / "out", "--split", "no_such_split", check=False
    )
    assert process.returncode == 1
    assert "no split 'no_such_split'; there are test_id, " in process.stderr
    assert not (tmp_path / "out").exists()


# what of a benchmark's own examples a format holds; `shown` is the example's first picture
_SHOWN = "shown.picture_state = 'available'"
_SHOWN_OR_NAMED = f"({_SHOWN} or shown.name_state = 'available')"
_DUE = {
    "jsonl": "true",
    **dict.fromkeys(("hugging_face", "image_folder", "lmms_eval", "vlmevalkit"), _SHOWN),
    **dict.fromkeys(("llava", "dpo", "r_tuning"), f"{_SHOWN_OR_NAMED} and is_two_sided"),
    "action_sft": f"{_SHOWN_OR_NAMED} and is_two_sided and oracle_action is not null",
    "coco_instances": f"{_SHOWN} and shown.recipe_id is not null",
    "clash_mix": f"{_SHOWN_OR_NAMED} and is_in_mix",
}


@pytest.mark.parametrize(
    "benchmark",
    ["conflict_suite", "conflict_suite_refined", "occlusions", "clash", "certainly_uncertain"],
)
def test_what_each_format_must_hold_is_what_the_benchmark_has(
    exported: Warehouse, benchmark: str
) -> None:
    """Files are counted against `exports__deliverable`, which is here counted against the mart."""
    known = {
        column
        for (column,) in exported.rows(f"""
            select column_name from information_schema.columns
            where table_name = '{benchmark}__examples'
        """)
    }
    examples = f"""
        select example_id, split,
            {"oracle_action" if "oracle_action" in known else "null"} as oracle_action,
            {"not stem_is_one_sided" if "stem_is_one_sided" in known else "true"} as is_two_sided,
            {"is_in_finetuning_mix" if "is_in_finetuning_mix" in known else "false"} as is_in_mix
        from {benchmark}.{benchmark}__examples
        where split <> 'held_back'
    """
    for_finetuning = {column for column, condition in _DUE.items() if "two_sided" in condition}
    due = exported.rows(f"""
        select split, {
        _counts(
            {
                column: f"{column} and is_two_sided" if column in for_finetuning else column
                for column in _DUE
            }
        )
    }
        from exports.exports__deliverable
        where benchmark = '{benchmark}' and split <> 'held_back'
        group by all order by all
    """)
    own = exported.rows(f"""
        select own.split, {_counts(_DUE)}
        from ({examples}) as own
        left join exports.exports__example_pictures as shown
            on shown.benchmark = '{benchmark}' and own.example_id = shown.example_id
            and shown.place = 1
        group by all order by all
    """)
    assert due == own
    empty = {
        column
        for column, *counts in zip(_DUE, *(row[1:] for row in due), strict=True)
        if not any(counts)
    }
    assert empty <= {"action_sft", "coco_instances", "clash_mix"}


def _counts(conditions: dict[str, str]) -> str:
    return ", ".join(
        f"count(*) filter (where {condition}) as n_{column}"
        for column, condition in conditions.items()
    )
