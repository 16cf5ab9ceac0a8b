"""The formats by name. Their writers are imported when they are asked for."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

from gainsay.foundation.errors import GainsayError
from gainsay.project.folder import project_vars

if TYPE_CHECKING:
    from gainsay.exports.folder import ExportFolder, Shards
    from gainsay.exports.records import Records

    Writer = Callable[[Records, ExportFolder], None]


@dataclass(frozen=True)
class Format:
    """A format: the model of all its records, and whether it needs their pictures.

    `benchmark` is set where it is one benchmark's own, with records and a card of its own.
    `records` and `module` name the model and the writer where they are not called by the format.
    """

    name: str
    source: str = "exports.exports__records"
    benchmark: str | None = None
    needs_pictures: bool = True
    # the word for its pictures in the message that none is available
    pictures: str = "picture"
    card: str | None = None
    # columns of the source that the card counts
    counted: tuple[str, ...] = ("split", "operator")
    # asked in several languages, each of which has files of its own
    has_languages: bool = False
    # records and their pictures are in shards, which tasks of Spark can write side by side
    is_sharded: bool = False
    # each split has files of its own
    keeps_splits_apart: bool = False
    # its files have room for every field of a record, whose key in the benchmark's examples is this
    record_key: str | None = "example_id"
    # the column of `exports__deliverable` that says what it holds, where it is not called by it
    holds: str | None = None
    # to train on: without pictures it names COCO's files in their place
    has_names: bool = False
    # how often a record is in its files
    copies: int = 1
    records: str | None = None
    module: str | None = None

    @property
    def model(self) -> str:
        """The model of the records that it holds."""
        return f"exports.exports__{self.records or self._identifier}"

    @property
    def deliverable(self) -> str:
        """The column of `exports__deliverable` that is true of its records."""
        return self.holds or self._identifier

    @property
    def is_for_finetuning(self) -> bool:
        """Whether it is to train on: what the words alone tell stays out unless it is asked for."""
        return not self.has_languages and self.name in project_vars()["export_finetuning_formats"]

    @property
    def read_blind(self) -> str | None:
        """The condition under which the blind reader reads its records, where its card says so."""
        condition: str | None = project_vars()["export_mixes_read_blind"].get(self.name)
        return condition

    def writer(self) -> "Writer":
        """The function that writes its files: `write` of its module."""
        write: Writer = self._module.write
        return write

    def files(self, records: "Records", benchmark: str) -> list["str | Shards"]:
        """The names of its files but pictures and card: `FILE` of its module, or `files`."""
        files: Callable[[Records, str], list[str | Shards]] | None = getattr(
            self._module, "files", None
        )
        return files(records, benchmark) if files else [self._module.FILE]

    @property
    def _module(self) -> ModuleType:
        return importlib.import_module(f"gainsay.exports.writers.{self.module or self._identifier}")

    @property
    def _identifier(self) -> str:
        return self.name.replace("-", "_")


_ALL = (
    Format("jsonl", needs_pictures=False, is_sharded=True),
    Format("hugging-face", is_sharded=True, keeps_splits_apart=True),
    Format("image-folder"),
    Format("lmms-eval"),
    # the records of lmms-eval, whose pictures are spelled otherwise
    Format("inspect", holds="lmms_eval", records="lmms_eval", keeps_splits_apart=True),
    Format("vlmevalkit"),
    Format("llava", record_key=None, has_names=True),
    Format("dpo", has_names=True),
    Format("r-tuning", record_key=None, has_names=True),
    Format(
        "action-sft",
        pictures="picture of a record with an oracle action",
        record_key=None,
        has_names=True,
    ),
    # the records of image-folder, with outlines, stages and answers
    Format("fiftyone", holds="image_folder", records="image_folder"),
    Format("coco-instances", pictures="edited picture", record_key=None),
    *(
        Format(
            name,
            source="exports.exports__clash_finetuning",
            benchmark="clash",
            card="clash_finetuning",
            counted=("condition", "change_type"),
            holds="clash_mix",
            record_key="example_id" if name == "clash-sft" else None,
            copies=1 if name == "clash-sft" else 2,
            has_names=True,
        )
        for name in ("clash-sft", "clash-llava", "clash-mplug-owl")
    ),
    Format(
        "carm",
        source="exports.exports__carm_mix",
        benchmark="conflict_suite_refined",
        card="carm",
        counted=("text_state", "image_state", "family", "oracle_action"),
        record_key=None,
        has_names=True,
    ),
)
DEFAULT_BENCHMARK = "conflict_suite"
FORMATS = {one.name: one for one in _ALL}

# questions about several pictures at once, in several languages, have these formats only, and
# `jsonl` for its English records without pictures
_SEVERAL_PICTURES = {
    "reality_check": {
        name: Format(
            name,
            source="exports.exports__reality_check_questions",
            counted=("language", "split", "combination"),
            has_languages=True,
            is_sharded=name == "hugging-face",
            keeps_splits_apart=name == "hugging-face",
            holds="languages",
            record_key=None if name == "llava" else "challenge_id",
            records="reality_check",
            module=f"languages_{name.replace('-', '_')}",
        )
        for name in ("hugging-face", "lmms-eval", "vlmevalkit", "llava")
    }
}


def several_pictures(benchmark: str) -> list[str]:
    """The formats that hold a benchmark's questions about several pictures; none of others'."""
    return [*_SEVERAL_PICTURES.get(benchmark, {})]


def format_of(kind: str, benchmark: str) -> Format:
    """The format of a benchmark's records; raises `GainsayError` where it cannot hold them."""
    general = FORMATS[kind]
    own = _SEVERAL_PICTURES.get(benchmark)
    if own is None or general.benchmark is not None or not general.needs_pictures:
        return general
    if kind not in own:
        raise GainsayError(
            f"{kind} holds one picture a record, and {benchmark} asks about several at once;"
            f" export {', '.join(own)} or jsonl"
        )
    return own[kind]
