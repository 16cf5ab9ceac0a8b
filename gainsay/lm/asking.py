"""Asking a model every open example of a benchmark, and keeping what it answers."""

import json
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

import duckdb
import msgspec

from gainsay.errors import GainsayError
from gainsay.lm.chat_client import ChatClient, ChatError, Reply
from gainsay.progress import Advance
from ingest.predictions import default_mapping
from python_udfs.pixels.image_bytes import ImageUnreadableError, read_image

_LARGEST_IMAGE = 64 * 2**20
# when so many failed and none was answered, such as by a model that the server does not know
_HOPELESS_AFTER = 20
_FILES = "inner join images.images__files as files using (source_image_id)"
# example key, what the prompt is made of, the choices if any, and where the picture lies
_QUERIES = {
    "conflict_suite": """
        select example_id, question, text_input, null, image_path, image_archive
        from exports.exports__conflict_suite
        where image_path is not null
        order by example_id
    """,
    "vqa": f"""
        select question_id, question, null, null, path, archive
        from vqa.vqa__questions {_FILES}
        order by question_id
    """,
    "pope": f"""
        select question_id, question, null, null, path, archive
        from vqa.vqa__questions {_FILES}
        where multiple_choice_answer in ('yes', 'no')
        order by question_id
    """,
    "clash": f"""
        select sample_id, question, caption_shown, offered, path, archive
        from clash.clash__examples {_FILES}
        inner join (
            select sample_id, list((letter, choice_kind, choice) order by letter) as offered
            from clash.clash__choices
            group by sample_id
        ) using (sample_id)
        where condition = $condition
        order by sample_id
    """,
}
ASKABLE = tuple(_QUERIES)
# kinds of choices as published answers name them
_MODALITIES = {
    "image_only": "image_only",
    "text_only": "text_only",
    "distractor": "irrelevant_but_plausible",
    "conflict": "contradiction",
}
_ENDINGS = {
    "conflict_suite": "Answer with yes or no, a number, or a colour. If picture and text leave the"
    ' question open, answer "cannot answer".',
    "vqa": "Answer with a single word or phrase.",
    "pope": "Answer with yes or no.",
    "clash": 'If picture and caption contradict each other, answer "{conflict}"',
}


@dataclass(frozen=True)
class Example:
    """What is asked: its key, the prompt, the picture, and the choices that were offered."""

    key: str | int
    prompt: str
    path: str
    archive: str | None
    choices: dict[str, dict[str, str]] | None


@dataclass
class Asked:
    """What became of a call: counts of examples, tokens, and why examples failed.

    `is_given_up` where all of the first ones failed and the rest were not asked.
    """

    n_answered: int = 0
    n_before: int = 0
    n_prompt_tokens: int = 0
    n_completion_tokens: int = 0
    failures: dict[str, int] | None = None
    is_given_up: bool = False

    def cost(self, price_in: float, price_out: float) -> float:
        """What the tokens cost, at prices per million of them."""
        return (self.n_prompt_tokens * price_in + self.n_completion_tokens * price_out) / 1e6


def examples(
    connection: duckdb.DuckDBPyConnection, benchmark: str, task: str, condition: str
) -> list[Example]:
    """All examples of a benchmark whose picture is landed.

    Raises `GainsayError` where the benchmark is not built or no picture is landed.
    """
    parameters = {"condition": condition} if "$condition" in _QUERIES[benchmark] else {}
    try:
        rows = connection.execute(_QUERIES[benchmark], parameters).fetchall()
    except duckdb.CatalogException as error:
        raise GainsayError(f"{benchmark}: not in the warehouse; run `dbt build`") from error
    if not rows:
        raise GainsayError(
            f"{benchmark}: no example's picture is landed; use `gainsay land-images`, then"
            " `dbt build`"
        )
    return [_example(benchmark, task, row) for row in rows]


def _example(benchmark: str, task: str, row: tuple[Any, ...]) -> Example:
    key, question, caption, offered, path, archive = row
    parts = [f"Caption: {caption}"] if caption is not None else []
    parts.append(f"Question: {question}")
    choices = {
        _MODALITIES[kind]: {"choice": letter, "answer": choice}
        for letter, kind, choice in offered or ()
    }
    if task == "multiple_choice":
        parts += [f"({given['choice']}) {given['answer']}" for given in choices.values()]
        parts.append("Answer with the letter of the right choice in parentheses.")
        return Example(key, "\n".join(parts), path, archive, choices)
    conflict = choices["contradiction"]["answer"] if choices else ""
    parts.append(_ENDINGS[benchmark].format(conflict=conflict))
    return Example(key, "\n".join(parts), path, archive, None)


def ask_all(
    client: ChatClient,
    benchmark: str,
    asked_for: list[Example],
    output: Path,
    concurrency: int,
    advance: Advance,
) -> Asked:
    """Ask what `output` holds no answer to yet; every answer is kept as soon as it comes.

    A killed call loses the answers that were under way and nothing else. What fails stays
    open for the next call; where the first twenty all fail, the rest is not asked. Raises
    `GainsayError` when `output` cannot be read or written.
    """
    mapping = default_mapping(benchmark)
    result = Asked(failures={})
    assert result.failures is not None
    try:
        done = _answered(output, mapping.id_column)
        result.n_before = sum(str(example.key) in done for example in asked_for)
        still_open = (example for example in asked_for if str(example.key) not in done)
        with output.open("ab") as file:
            for example, reply in _replies(client, still_open, concurrency):
                advance()
                if isinstance(reply, str):
                    result.failures[reply] = result.failures.get(reply, 0) + 1
                    n_failed = sum(result.failures.values())
                    if not result.n_answered and n_failed >= _HOPELESS_AFTER:
                        result.is_given_up = True
                        break
                    continue
                _keep(file, mapping.id_column, mapping.answer_column, example, reply)
                result.n_answered += 1
                result.n_prompt_tokens += reply.n_prompt_tokens
                result.n_completion_tokens += reply.n_completion_tokens
    except OSError as error:
        raise GainsayError(f"{output}: cannot be written: {error.strerror or error}") from error
    return result


def _answered(output: Path, id_column: str) -> set[str]:
    """The examples that a former call got answers to; a line that was cut is taken off."""
    if not output.exists():
        output.parent.mkdir(parents=True, exist_ok=True)
        return set()
    content = output.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    try:
        done = {str(msgspec.json.decode(line)[id_column]) for line in whole.splitlines()}
    except (msgspec.DecodeError, KeyError, TypeError) as error:
        raise GainsayError(
            f"{output}: not answers of a former call: {error}; name another file"
        ) from error
    if whole != content:
        with output.open("r+b") as file:
            file.truncate(len(whole))
    return done


def _replies(
    client: ChatClient, still_open: Iterator[Example], concurrency: int
) -> Iterator[tuple[Example, Reply | str]]:
    """Each example with its reply or why there is none; no more than `concurrency` at once."""
    with ThreadPoolExecutor(concurrency) as pool:
        running: dict[Future[Reply | str], Example] = {}
        while True:
            for example in islice(still_open, concurrency - len(running)):
                running[pool.submit(_ask, client, example)] = example
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()


def _ask(client: ChatClient, example: Example) -> Reply | str:
    try:
        image = read_image(example.path, example.archive, _LARGEST_IMAGE)
        return client.ask(example.prompt, image, example.path)
    except (ChatError, ImageUnreadableError) as error:
        return str(error)


def _keep(
    file: IO[bytes], id_column: str, answer_column: str, example: Example, reply: Reply
) -> None:
    record: dict[str, Any] = {id_column: example.key, answer_column: reply.text}
    if example.choices:
        record["modality_answers"] = example.choices
    if reply.token_logprobs:
        record["token_logprobs"] = reply.token_logprobs
    file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
    file.flush()
