"""The formats by name. Their writers are imported when they are asked for."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gainsay.exports.folder import ExportFolder
    from gainsay.exports.records import Records

    Writer = Callable[[Records, ExportFolder], None]


@dataclass(frozen=True)
class Format:
    """A format: the model of all its records, and whether it needs their pictures.

    `benchmark` is set where it is one benchmark's own, with records and a card of its own.
    """

    name: str
    source: str = "exports.exports__records"
    benchmark: str | None = None
    needs_pictures: bool = True
    # the word for its pictures in the message that none is available
    pictures: str = "picture"
    card: str | None = None
    # what the card counts, columns of the source
    counted: tuple[str, ...] = ("split", "operator")

    @property
    def model(self) -> str:
        """The model of the records that it holds."""
        return f"exports.exports__{self._identifier}"

    def writer(self) -> "Writer":
        """What writes its files: `write` of the module of its name."""
        module = importlib.import_module(f"gainsay.exports.writers.{self._identifier}")
        write: Writer = module.write
        return write

    @property
    def _identifier(self) -> str:
        return self.name.replace("-", "_")


_ALL = (
    Format("jsonl", needs_pictures=False),
    Format("hugging-face"),
    Format("image-folder"),
    Format("lmms-eval"),
    Format("vlmevalkit"),
    Format("llava"),
    Format("dpo"),
    Format("r-tuning"),
    Format("action-sft"),
    Format("coco-instances", pictures="edited picture"),
    *(
        Format(
            name,
            source="exports.exports__clash_finetuning",
            benchmark="clash",
            card="clash_finetuning",
            counted=("condition", "change_type"),
        )
        for name in ("clash-sft", "clash-llava", "clash-mplug-owl")
    ),
)
DEFAULT_BENCHMARK = "conflict_suite"
FORMATS = {one.name: one for one in _ALL}
