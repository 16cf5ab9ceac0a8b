"""How far readers agree now, as `review__agreement` says it after the next build."""

import hashlib
from collections import defaultdict
from typing import Any

import pyarrow as pa

from gainsay.project.folder import project_vars
from gainsay.python_udfs.statistics.agreement import agreement
from gainsay.review.standing import Standing


def agreement_of(standing: Standing) -> dict[str, dict[str, Any]]:
    """By question: the records that several have read, and each statistic with its interval.

    The numbers are those of `review__agreement`, over all readers; a question that nobody has
    answered is left out.
    """
    settings = project_vars()
    ratings: dict[str, list[dict[str, object]]] = defaultdict(list)
    readers: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for record, question, reader, answer in standing.counted_votes():
        ratings[question].append(
            {
                "record": record.record_id,
                "reader": reader,
                "answer": answer,
                "cluster": _resampling_key(settings["seed"], record.image_id or record.record_id),
            }
        )
        readers[question][record.record_id] += 1
    asked = [question for question in standing.queue.questions if question in ratings]
    measured = agreement(
        pa.array([ratings[question] for question in asked]),
        pa.array([len(standing.queue.questions[question].answers) for question in asked]),
        pa.array([settings["review_bootstrap_resamples"]] * len(asked)),
        pa.array([float(settings["review_interval"])] * len(asked)),
    ).to_pylist() if asked else []  # fmt: skip
    return {
        question: {"n_records": sum(n > 1 for n in readers[question].values())} | statistics
        for question, statistics in zip(asked, measured, strict=True)
    }


def _resampling_key(seed: int, name: str) -> int:
    """The number that records of one picture share, as the macro `resampling_key` makes it."""
    digest = hashlib.md5(f"{seed}:resample:{name}".encode(), usedforsecurity=False)
    return int(digest.hexdigest()[:15], 16)
