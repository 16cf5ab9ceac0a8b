"""What models take: how their requests say how long an answer may be, and how they are sampled."""

import importlib.resources
import tomllib
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ModelProperties:
    """What a model whose name begins with `name` takes; `temperature` is null where none."""

    name: str
    tokens_field: str
    temperature: float | None = None

    def settings(self, model: str, max_tokens: int) -> dict[str, Any]:
        """The fields of a request that name the model and limit its answer."""
        settings: dict[str, Any] = {"model": model, self.tokens_field: max_tokens}
        if self.temperature is not None:
            settings["temperature"] = self.temperature
        return settings


def properties_of(model: str) -> ModelProperties:
    """The properties of a model, from `model_properties.toml`."""
    content = (importlib.resources.files("gainsay.lm") / "model_properties.toml").read_text()
    known = [ModelProperties(**row) for row in tomllib.loads(content)["models"]]
    name = model.rpartition("/")[2].lower()
    return max(
        (properties for properties in known if name.startswith(properties.name)),
        key=lambda properties: len(properties.name),
    )
