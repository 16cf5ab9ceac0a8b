"""The prompts: versioned files in `gainsay/lm/prompts`."""

import hashlib
import importlib.resources
import json
import tomllib
from collections.abc import Sequence
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


@dataclass(frozen=True)
class Choice:
    """One of the answers that are offered, by its letter; `kind` says what it is right by."""

    letter: str
    kind: str
    text: str


@dataclass(frozen=True)
class PicturePrompt:
    """How a question about a picture is put, from `prompts/predict.toml`."""

    version: int
    context: str
    question: str
    choice: str
    choice_instruction: str
    sha256: str

    def text(
        self,
        question: str,
        context: str | None,
        choices: Sequence[Choice],
        instruction: str | None,
    ) -> str:
        """What a model is asked; `context` is what stands beside the picture."""
        lines = [] if context is None else [self.context.format(context=context)]
        lines.append(self.question.format(question=question))
        lines += [self.choice.format(letter=each.letter, text=each.text) for each in choices]
        if instruction is None and choices:
            instruction = self.choice_instruction
        if instruction is not None:
            lines.append(instruction)
        return "\n".join(lines)


def read_picture_prompt() -> PicturePrompt:
    """How questions about pictures are put."""
    content, sha256 = _read("predict")
    return PicturePrompt(**content, sha256=sha256)


def _read(name: str) -> tuple[dict[str, Any], str]:
    """What a file says, and the hex sha256 of its bytes."""
    data = (importlib.resources.files("gainsay.lm") / "prompts" / f"{name}.toml").read_bytes()
    return tomllib.loads(data.decode()), hashlib.sha256(data).hexdigest()
