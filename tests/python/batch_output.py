"""Lines of a batch's output, as a provider of language models writes them."""

import json


def answer_line(custom_id: str, content: str | None, refusal: str | None = None) -> str:
    """The line that answers one request, or refuses it."""
    message = {"content": content, "refusal": refusal}
    body = {"choices": [{"finish_reason": "stop", "message": message}], "usage": {}}
    response = {"status_code": 200, "body": body}
    return json.dumps({"custom_id": custom_id, "response": response, "error": None})
