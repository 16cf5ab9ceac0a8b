"""What a provider refuses in a request to a model, with its words: status and body, or nothing.

After the documentation of OpenAI's chat completions: models that reason take no `max_tokens`, no
temperature but 1 and no log-probabilities, and some models no pictures.
"""

import json
from typing import Any

_REASONING = ("gpt-5", "o1", "o3", "o4")
_WITHOUT_PICTURES = ("gpt-3.5", "o1-mini", "o3-mini")
_MOST_ALTERNATIVES = 20
_EFFORTS = ("minimal", "low", "medium", "high")


def refusal(body: dict[str, Any]) -> tuple[int, bytes] | None:
    """Why a provider would refuse a request."""
    model = str(body.get("model", "")).rpartition("/")[2].lower()
    reasons = model.startswith(_REASONING)
    effort = body.get("reasoning_effort")
    schema = body.get("response_format", {}).get("json_schema", {})
    rules = {
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
        " 'max_completion_tokens' instead.": reasons and "max_tokens" in body,
        "Unsupported value: 'temperature' does not support 0 with this model.": reasons
        and body.get("temperature", 1) != 1,
        "You are not allowed to request logprobs from this model": reasons
        and ("logprobs" in body or "top_logprobs" in body),
        "Unrecognized request argument supplied: reasoning_effort": not reasons and effort,
        "Unsupported value: 'reasoning_effort'": effort
        and (effort not in _EFFORTS or (effort == "minimal" and model.startswith("o"))),
        "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.": {
            "max_tokens",
            "max_completion_tokens",
        }
        <= body.keys(),
        "Invalid value for 'top_logprobs'": "top_logprobs" in body
        and (body["top_logprobs"] > _MOST_ALTERNATIVES or not body.get("logprobs")),
        "Invalid content type. image_url is only supported by certain models.": model.startswith(
            _WITHOUT_PICTURES
        )
        and "image_url" in json.dumps(body.get("messages")),
        "Invalid schema: 'additionalProperties' is required to be false.": schema.get("strict")
        and schema["schema"].get("additionalProperties") is not False,
    }
    broken = [message for message, is_broken in rules.items() if is_broken]
    if not broken:
        return None
    error = {"error": {"message": broken[0], "type": "invalid_request_error"}}
    return 400, json.dumps(error).encode()
