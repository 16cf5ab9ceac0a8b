"""The prompts: versioned files in `gainsay/lm/prompts`."""

import hashlib
import importlib.resources
import json
import tomllib
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Prompt:
    """A versioned prompt: texts with {fields} of the input, and the schema of the answer."""

    task: str
    version: int
    system: str
    user: str
    schema: dict[str, Any]
    sha256: str


def read_prompt(task: str) -> Prompt:
    """The prompt of a task of `gainsay llm`."""
    content, sha256 = _read(task)
    return Prompt(
        task,
        content["version"],
        content["system"].strip(),
        content["user"].strip(),
        json.loads(content["schema"]),
        sha256,
    )


def _read(name: str) -> tuple[dict[str, Any], str]:
    """What a file says, and the hex sha256 of its bytes."""
    data = (importlib.resources.files("gainsay.lm") / "prompts" / f"{name}.toml").read_bytes()
    return tomllib.loads(data.decode()), hashlib.sha256(data).hexdigest()
