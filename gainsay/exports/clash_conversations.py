"""CLASH's fine-tuning mix as conversations, in the layouts that models are asked in."""

import msgspec

from gainsay.exports.folder import ExportFolder
from gainsay.exports.json_files import write_array
from gainsay.exports.pictures import write_pictures
from gainsay.exports.records import Record, Records
from gainsay.foundation.errors import GainsayError
from gainsay.lm.prompt_files import Choice, PicturePrompt, read_picture_prompt

# the tasks, and what a model should answer to each
_TARGETS = {"multiple_choice": "letter_target", "open_ended": "text_target"}


def conversation_files(model: str) -> dict[str, str]:
    """The name of each task's file, `clash_<model>_<task>.json`."""
    return {task: f"clash_{model.replace('-', '_')}_{task}.json" for task in _TARGETS}


def write_conversations(records: Records, folder: ExportFolder, model: str) -> None:
    """Write a file for each task, and the pictures.

    Both trainers read arrays of `id`, `image` and `conversations`, a human's turn with the token of
    the picture and the turn of the model, which they name gpt; they differ in token and layout.
    A sample is one record of each file, under the same id. Raises `GainsayError` where no prompt is
    laid out for the model.
    """
    prompts = {task: read_picture_prompt("clash", task, model) for task in _TARGETS}
    for task, prompt in prompts.items():
        if prompt.picture is None:
            raise GainsayError(
                f"gainsay/lm/prompts/{prompt.name}.toml: no `picture`; expected the token that"
                f" stands for the picture where {model} is trained on clash/{task}"
            )
    write_pictures(records, folder)
    for task, name in conversation_files(model).items():
        prompt = prompts[task]
        write_array(folder, name, (_conversation(record, task, prompt) for record in records))


def _conversation(record: Record, task: str, prompt: PicturePrompt) -> Record:
    choices = msgspec.json.decode(record["choices"], type=list[Choice])
    offered = choices if task == "multiple_choice" else []
    asked = prompt.text(record["question"], record["caption_shown"], offered, None)
    return {
        "id": record["example_id"],
        "image": record["image"],
        "conversations": [
            {"from": "human", "value": f"{prompt.picture}{asked}"},
            {"from": "gpt", "value": record[_TARGETS[task]]},
        ],
    }
