"""How sure a model is of its answer, by what it says or by the probabilities of its tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from statistics import fmean
from typing import Literal

from gainsay.lm.chat_client import ChatClient, Reply, Turn
from gainsay.lm.prompt_files import Verification, read_verification

Confidence = Literal["verify", "sequence"]
# what a confidence is called in files of answers
KINDS: dict[Confidence, str] = {
    "verify": "self_verification",
    "sequence": "sequence_probability",
}
# as many as servers give at most
_ALTERNATIVES = 20


@dataclass(frozen=True)
class ModelAnswer:
    """An answer, and how sure the model is of it.

    `confidence_kind` is null where no confidence was asked for; `confidence` also where the
    server gives no log-probabilities, or says neither yes nor no. `model` is what the server says
    that answered.
    """

    text: str | None
    n_prompt_tokens: int
    n_completion_tokens: int
    token_logprobs: list[float] | None = None
    finish_reason: str | None = None
    confidence_kind: str | None = None
    confidence: float | None = None
    p_yes: float | None = None
    p_no: float | None = None
    model: str | None = None


def ask_with_confidence(
    client: ChatClient,
    prompt: str,
    image: bytes | None,
    confidence: Confidence | None,
    further_images: Sequence[bytes] = (),
) -> ModelAnswer:
    """Ask a prompt about pictures, or none, and with `confidence` how sure the model is.

    `verify` asks a second turn, whether the answer is right, and keeps P(yes) / (P(yes) + P(no))
    of its first token; `sequence` keeps the exponential of the mean log-probability of the
    answer's tokens. Raises `ChatError` as `ChatClient.ask` does.
    """
    reply = client.ask(prompt, image, further_images=further_images)
    if confidence is None:
        return _said(reply)
    if confidence == "sequence":
        return _said(reply, confidence, sequence_probability(reply))
    if not reply.text or not client.properties.gives_logprobs:
        return _said(reply, confidence)
    verification = read_verification()
    second = client.ask(
        verification.user.format(answer=reply.text),
        image,
        further_images=further_images,
        earlier=Turn(prompt, reply.text),
        n_alternatives=_ALTERNATIVES,
    )
    p_yes, p_no = yes_and_no(second, verification)
    total = (p_yes or 0.0) + (p_no or 0.0)
    return ModelAnswer(
        reply.text,
        reply.n_prompt_tokens + second.n_prompt_tokens,
        reply.n_completion_tokens + second.n_completion_tokens,
        reply.token_logprobs,
        reply.finish_reason,
        KINDS[confidence],
        (p_yes or 0.0) / total if total > 0 else None,
        p_yes,
        p_no,
        reply.model,
    )


def sequence_probability(reply: Reply) -> float | None:
    """The exponential of the mean log-probability of an answer's tokens."""
    return exp(fmean(reply.token_logprobs)) if reply.token_logprobs else None


def yes_and_no(reply: Reply, verification: Verification) -> tuple[float, float] | tuple[None, None]:
    """P(yes) and P(no) of the first token, all spellings of each together; null without any."""
    if not reply.first_tokens:
        return None, None
    spelled = [(token.strip().lower(), exp(logp)) for token, logp in reply.first_tokens.items()]
    p_yes = sum(p for token, p in spelled if token in verification.yes)
    p_no = sum(p for token, p in spelled if token in verification.no)
    return min(p_yes, 1.0), min(p_no, 1.0)


def _said(
    reply: Reply, confidence: Confidence | None = None, value: float | None = None
) -> ModelAnswer:
    return ModelAnswer(
        reply.text,
        reply.n_prompt_tokens,
        reply.n_completion_tokens,
        reply.token_logprobs,
        reply.finish_reason,
        KINDS[confidence] if confidence else None,
        value,
        model=reply.model,
    )
