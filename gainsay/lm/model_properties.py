"""What models take and cost, from the seed `llm_models`."""

import csv
import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.named_files import read_text
from gainsay.project.folder import project_folder

_SEED = "seeds/shared/llm/llm_models.csv"
_ANY = "*"


@dataclass(frozen=True)
class ModelProperties:
    """What a model whose name begins with `model` takes; `temperature` is null where none.

    Prices are US dollars per million tokens, null where they are not known.
    """

    model: str
    tokens_field: str
    temperature: float | None
    reasoning_effort: str | None
    takes_pictures: bool
    gives_logprobs: bool
    dollars_in: float | None
    dollars_out: float | None

    def settings(self, model: str, max_tokens: int) -> dict[str, Any]:
        """The fields of a request that name the model and limit its answer."""
        settings: dict[str, Any] = {"model": model, self.tokens_field: max_tokens}
        if self.temperature is not None:
            settings["temperature"] = self.temperature
        if self.reasoning_effort is not None:
            settings["reasoning_effort"] = self.reasoning_effort
        return settings

    def prices(self, model: str) -> tuple[float, float]:
        """Dollars per million tokens in and out; raises `GainsayError` where none are known."""
        if self.dollars_in is None or self.dollars_out is None:
            raise GainsayError(f"{model}: no price in {_SEED}; add a row for it there")
        return self.dollars_in, self.dollars_out


def plain_name(model: str) -> str:
    """A model's name in small letters, without its provider's."""
    return model.rpartition("/")[2].lower()


def properties_of(model: str) -> ModelProperties:
    """The properties of a model: of the longest name that its own begins with."""
    name = plain_name(model)
    return max(
        (
            properties
            for properties in _all_properties(project_folder() / _SEED)
            if properties.model == _ANY or name.startswith(properties.model)
        ),
        key=lambda properties: (properties.model != _ANY, len(properties.model)),
    )


@cache
def _all_properties(path: Path) -> list[ModelProperties]:
    try:
        rows = csv.DictReader(io.StringIO(read_text(path), newline=""))
        return [_properties(row) for row in rows]
    except (KeyError, ValueError, csv.Error) as error:
        raise GainsayError(f"{path}: not the seed of model properties: {error!r}") from error


def _properties(row: dict[str, str]) -> ModelProperties:
    return ModelProperties(
        row["model"],
        row["tokens_field"],
        _number(row["temperature"]),
        row["reasoning_effort"] or None,
        row["takes_pictures"] == "true",
        row["gives_logprobs"] == "true",
        _number(row["dollars_per_million_in"]),
        _number(row["dollars_per_million_out"]),
    )


def _number(text: str) -> float | None:
    return float(text) if text else None
