"""What lmms-eval needs to ask the questions of gainsay, and to score them as its board does."""

import importlib.util
from pathlib import Path


def _beside(name):
    """A module of this folder; other tasks have one of the same name."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


scoring = _beside("gainsay_scoring")


def doc_to_visual(doc):
    """The picture."""
    return [doc["image"].convert("RGB")]


def doc_to_text(doc, lmms_eval_specific_kwargs=None):
    """The text beside the picture, the question and how to answer."""
    around = lmms_eval_specific_kwargs or {}
    return f"{around.get('pre_prompt', '')}{doc['prompt']}{around.get('post_prompt', '')}"


def doc_to_messages(doc, lmms_eval_specific_kwargs=None):
    """The picture and the prompt as one message of a chat."""
    content = [{"type": "image", "url": picture} for picture in doc_to_visual(doc)]
    content.append({"type": "text", "text": doc_to_text(doc, lmms_eval_specific_kwargs)})
    return [{"role": "user", "content": content}]


def doc_to_target(doc):
    """The right answer."""
    return doc["target"]


def process_results(doc, results):
    """What the answer adds to each metric; and the answer, which samples keep."""
    said = {"example_id": doc["example_id"], "prediction": results[0]}
    return scoring.measures(doc, results[0]) | {"gainsay_answer": said}


def group_accuracy(values):
    """How many groups are answered rightly throughout."""
    return scoring.score("group_accuracy", values)


def ratio(values):
    """The sum of the numerators by that of the denominators."""
    return scoring.score("ratio", values)


def percent(values):
    """The same, in per cent, as the board shows it."""
    return scoring.score(scoring.PERCENT[0], values)


def n_answers(answers):
    """How many examples were answered."""
    return len(answers)
