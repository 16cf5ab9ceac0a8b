"""What language models are asked for: the inputs of every task, and the requests they make.

A request is known by the hash of its prompt's version, its model and its input, so that the
same question is never asked, and paid for, twice.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from typing import Any

import duckdb

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query, sql_beside
from gainsay.ingest.llm_responses import Request
from gainsay.lm.attached_pictures import named_photograph, named_picture
from gainsay.lm.model_properties import properties_of
from gainsay.lm.prompt_files import Prompt, read_prompt


@dataclass(frozen=True)
class EditableCaption:
    """A caption that is to be edited so that it no longer supports the gold answer."""

    base_id: str
    question: str
    gold_answer: str
    caption: str


@dataclass(frozen=True)
class FirstCaption:
    """An image's first caption, of which a contradicting one is to be made."""

    source_image_id: str
    caption: str


@dataclass(frozen=True)
class ChangedCaption:
    """A changed caption and a question about the change, to which answers are wanted."""

    sample_id: str
    original_caption: str
    conflicting_caption: str
    question: str


@dataclass(frozen=True)
class SpatialEdit:
    """A caption in which a relation was changed, to which a question and an answer are wanted."""

    proposal_id: str
    original_caption: str
    conflicting_caption: str
    original_words: str
    conflicting_words: str


@dataclass(frozen=True)
class ProposedSample:
    """A CLASH sample that is to be checked."""

    sample_id: str
    original_caption: str
    conflicting_caption: str
    original_words: str | None
    conflicting_words: str | None
    change_type: str | None
    question: str | None
    image_only_answer: str
    text_only_answer: str | None
    distractor_answer: str | None


@dataclass(frozen=True)
class JudgedAnswer:
    """An answer to a CLASH sample that is to be judged."""

    input_id: str
    question: str
    image_only_answer: str
    text_only_answer: str
    prediction: str


@dataclass(frozen=True)
class OccludedPicture:
    """A rendered picture of which a part is hidden, and the question that it may answer."""

    input_id: str
    question: str
    picture: str


@dataclass(frozen=True)
class RatedAnswer:
    """An answer that is to be rated by reference answers, or read for "I don't know"."""

    input_id: str
    question: str
    reference_answers: str
    prediction: str


@dataclass(frozen=True)
class DescribedPicture:
    """An answer about a picture, of which a judge knows the right answer and the objects."""

    input_id: str
    question: str
    reference_answers: str
    prediction: str
    objects: str


@dataclass(frozen=True)
class AskedQuestion:
    """A question about a picture, with its answer, of which the object is to be named."""

    pair_id: str
    question: str
    gold_answer: str


@dataclass(frozen=True)
class PairOfPictures:
    """A photograph, and its rendering without an object, of which one question is to be asked."""

    input_id: str
    object_name: str
    photograph: str
    picture: str


@dataclass(frozen=True)
class CaptionedImage:
    """An image's captions, a line each, about which a pair of questions is to be written."""

    source_image_id: str
    captions: str


@dataclass(frozen=True)
class ProposedPair:
    """A pair of questions about an image that is to be checked against its captions."""

    pair_id: str
    captions: str
    answerable_question: str
    answerable_answer: str
    unanswerable_question: str
    category: str


@dataclass(frozen=True)
class TranslatableTemplate:
    """A template of questions, its slots masked, that is to be translated into a language."""

    input_id: str
    language_name: str
    masked_text: str
    yes_word: str
    no_word: str


Input = (
    EditableCaption
    | FirstCaption
    | ChangedCaption
    | SpatialEdit
    | ProposedSample
    | JudgedAnswer
    | OccludedPicture
    | RatedAnswer
    | DescribedPicture
    | AskedQuestion
    | PairOfPictures
    | CaptionedImage
    | ProposedPair
    | TranslatableTemplate
)


@dataclass(frozen=True)
class _Inputs:
    """What a task asks about: rows whose first field is the input's id, and where they stand.

    Rows that say the same are one input.
    """

    kind: type[Input]
    relation: str
    condition: str = "true"


def _editable(mix_state: str) -> _Inputs:
    return _Inputs(
        EditableCaption,
        "conflict_suite_refined.conflict_suite_refined__screened",
        f"screening = 'edits' and mix_state = '{mix_state}' and text_source = 'refined_edit'",
    )


def _asked(kind: type[Input], name: str, condition: str = "true") -> _Inputs:
    """The rows of a file of SQL beside this one."""
    return _Inputs(kind, f"({sql_beside(__file__, name)}) as asked", condition)


def _rated(condition: str = "true") -> _Inputs:
    return _Inputs(RatedAnswer, "evaluation.evaluation__lave_inputs", condition)


def _proposed(condition: str = "true") -> _Inputs:
    """Samples to be checked, of one kind of change or of all."""
    return _asked(ProposedSample, "samples_to_check", condition)


_CAPTIONED_IMAGES = _Inputs(
    CaptionedImage, "certainly_uncertain.certainly_uncertain__image_captions"
)
_INPUTS = {
    "edit_different": _editable("different"),
    "edit_irrelevant": _editable("irrelevant"),
    "clash_generate": _Inputs(
        FirstCaption, "images.images__texts", "caption_position = 1 and is_english and is_short"
    ),
    "clash_answers": _Inputs(
        ChangedCaption, "clash.clash__candidates", "editor = 'llm' and question is not null"
    ),
    "clash_spatial_question": _Inputs(SpatialEdit, "clash.clash__spatial_edits"),
    # each kind of change has a check of its own
    "clash_attribute_check": _proposed("change_type = 'attribute'"),
    "clash_object_check": _proposed("change_type = 'object'"),
    "clash_relation_check": _proposed("change_type = 'relation'"),
    "clash_answers_check": _proposed(),
    "clash_question_check": _proposed(),
    # answers that say the same about the same sample are one question
    "judge": _Inputs(JudgedAnswer, "evaluation.evaluation__judge_inputs"),
    "picture_answers": _asked(OccludedPicture, "occluded_pictures"),
    "lave": _rated("not is_yes_or_no"),
    "lave_yes_no": _rated("is_yes_or_no"),
    "idk": _rated(),
    "hallucination": _Inputs(DescribedPicture, "evaluation.evaluation__hallucination_inputs"),
    "salient_object": _asked(AskedQuestion, "questions_to_read"),
    "extraneous_question": _asked(PairOfPictures, "picture_pairs"),
    "uncertainty_knowledge": _CAPTIONED_IMAGES,
    "uncertainty_complexity": _CAPTIONED_IMAGES,
    "uncertainty_temporal": _CAPTIONED_IMAGES,
    "uncertainty_ambiguity": _CAPTIONED_IMAGES,
    "uncertainty_check": _asked(ProposedPair, "pairs_to_check"),
    "translate_template": _Inputs(
        TranslatableTemplate,
        "reality_check.reality_check__machine_templates",
        "translator = 'llm'",
    ),
}
TASKS = tuple(_INPUTS)


def inputs_of(
    connection: duckdb.DuckDBPyConnection, task: str, limit: int | None = None
) -> list[Input]:
    """The inputs of a task as they are now, or the first `limit` of them.

    Raises `GainsayError` when the models that hold them are not built.
    """
    inputs = _INPUTS[task]
    names = ", ".join(field.name for field in fields(inputs.kind))
    few = f" limit {limit}" if limit else ""
    return query(
        connection,
        f"select distinct {names} from {inputs.relation} where {inputs.condition}"
        f" order by all{few}",
        inputs.kind,
    )


def requests_of(
    connection: duckdb.DuckDBPyConnection,
    task: str,
    model: str,
    max_tokens: int,
    limit: int | None = None,
) -> list[Request]:
    """The requests of a task for its inputs as they are now, or for the first `limit` of them.

    Raises `GainsayError` when the models that hold the inputs are not built.
    """
    prompt = read_prompt(task)
    requests = []
    for row in inputs_of(connection, task, limit):
        values = asdict(row)
        input_id = str(next(iter(values.values())))
        requests.append(make_request(prompt, model, input_id, values, max_tokens))
    return requests


def make_request(
    prompt: Prompt, model: str, input_id: str, values: dict[str, Any], max_tokens: int
) -> Request:
    """The request that asks `model` the prompt about one input, behind its pictures if any.

    A `photograph` as it was taken comes before the rendered `picture`.
    """
    user = prompt.user.format(**values)
    named = json.dumps([prompt.sha256, model, input_id, user], ensure_ascii=False)
    content: str | list[dict[str, Any]] = user
    if "picture" in values:
        if not properties_of(model).takes_pictures:
            raise GainsayError(
                f"{model} takes no pictures, and {prompt.task} is about pictures; name a model that"
                " sees, or give this one a row that says so in seeds/shared/llm/llm_models.csv"
            )
        content = [named_picture(values["picture"]), {"type": "text", "text": user}]
        if "photograph" in values:
            content.insert(0, named_photograph(values["photograph"]))
    body = properties_of(model).settings(model, max_tokens) | {
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": content},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": prompt.task, "strict": True, "schema": prompt.schema},
        },
    }
    return Request(
        f"{prompt.task}-{hashlib.sha256(named.encode()).hexdigest()[:24]}",
        prompt.task,
        model,
        prompt.sha256,
        input_id,
        json.dumps(body, ensure_ascii=False),
    )
