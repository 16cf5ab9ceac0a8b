"""The prompts: versioned files in `gainsay/lm/prompts`."""

import hashlib
import importlib.resources
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from gainsay.lm.model_properties import plain_name

_FOLDER = importlib.resources.files("gainsay.lm") / "prompts"
# how a task is put that no file of its own asks
_ANY_TASK = "predict"


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
    """How a question about a picture is put; `asks` are pairs benchmark/task.

    Where `models` are named, it is put so to those alone whose names begin with one of them.
    `picture` stands for the picture where such a model is trained on the prompt; a server puts it
    there by itself.

    Where `actions` are named, an answer is two lines: `action_marker` with one of the actions,
    and `answer_marker` with the answer.
    """

    name: str
    version: int
    context: str
    question: str
    choice: str
    sha256: str
    asks: Sequence[str] = ()
    models: Sequence[str] = ()
    picture: str | None = None
    instruction: str | None = None
    choice_instruction: str | None = None
    action_marker: str | None = None
    answer_marker: str | None = None
    actions: Sequence[str] = ()

    @property
    def full_version(self) -> str:
        """Name and version, as they land with answers."""
        return f"{self.name}-{self.version}"

    def is_for(self, model: str) -> bool:
        """Whether models of this name are asked so and others are not."""
        return plain_name(model).startswith(tuple(self.models))

    def text(
        self,
        question: str,
        context: str | None,
        choices: Sequence[Choice],
        instruction: str | None,
    ) -> str:
        """What a model is asked; `context` is what stands beside the picture.

        The file's own instruction comes before the one that is given.
        """
        lines = [] if context is None else [self.context.format(context=context)]
        lines.append(self.question.format(question=question))
        lines += [self.choice.format(letter=each.letter, text=each.text) for each in choices]
        instruction = self.instruction or instruction
        if instruction is None and choices:
            instruction = self.choice_instruction
        if instruction is not None:
            lines.append(instruction)
        return "\n".join(lines)


def read_picture_prompt(benchmark: str, task: str, model: str = "") -> PicturePrompt:
    """How a benchmark's task is asked: by the file that asks it, else by `predict.toml`.

    A file for models whose names begin as this one's comes before a file for all.
    """
    prompts = _picture_prompts().get(f"{benchmark}/{task}", ())
    for_model = (prompt for prompt in prompts if prompt.models and prompt.is_for(model))
    for_all = (prompt for prompt in prompts if not prompt.models)
    return next(for_model, None) or next(for_all, None) or _picture_prompt(_ANY_TASK)


@dataclass(frozen=True)
class Verification:
    """The second turn, in which a model judges its own answer: `yes` and `no` are its tokens."""

    version: int
    user: str
    yes: Sequence[str]
    no: Sequence[str]
    sha256: str


def read_verification() -> Verification:
    """How a model is asked whether its answer is right."""
    content, sha256 = _read("verify")
    return Verification(**content, sha256=sha256)


@cache
def _picture_prompts() -> Mapping[str, Sequence[PicturePrompt]]:
    """The prompts by the benchmark and task that they ask."""
    found: dict[str, list[PicturePrompt]] = {}
    for file in sorted(_FOLDER.iterdir(), key=lambda file: file.name):
        name = file.name.removesuffix(".toml")
        if name != file.name and "asks" in _read(name)[0]:
            prompt = _picture_prompt(name)
            for asked in prompt.asks:
                found.setdefault(asked, []).append(prompt)
    return found


def _picture_prompt(name: str) -> PicturePrompt:
    content, sha256 = _read(name)
    return PicturePrompt(name=name, **content, sha256=sha256)


def _read(name: str) -> tuple[dict[str, Any], str]:
    """What a file says, and the hex sha256 of its bytes."""
    data = (_FOLDER / f"{name}.toml").read_bytes()
    return tomllib.loads(data.decode()), hashlib.sha256(data).hexdigest()
