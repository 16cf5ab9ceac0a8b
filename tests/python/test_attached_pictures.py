"""Requests about pictures name them where they are kept, and hold them where they are sent."""

import base64
import json
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from gainsay.foundation.errors import GainsayError
from gainsay.ingest.llm_responses import Request
from gainsay.lm.attached_pictures import with_pictures
from gainsay.lm.batches import write_batches
from gainsay.lm.prompt_files import read_prompt
from gainsay.lm.tasks import make_request


@pytest.fixture
def renderings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of renderings with one picture."""
    folder = tmp_path / "renderings"
    (folder / "ab").mkdir(parents=True)
    Image.new("RGB", (4, 3), "red").save(folder / "ab" / "red.jpg")
    monkeypatch.setenv("GAINSAY_RENDERINGS", str(folder))
    return folder


def request_about(picture: str, model: str = "gpt-4o-mini") -> Request:
    """A request to a vision judge about a rendered picture."""
    values = {"input_id": "b1@1", "question": "Is there a dog?", "picture": picture}
    return make_request(read_prompt("picture_answers"), model, "b1@1", values, 50)


def test_a_picture_is_named_until_it_is_sent(renderings: Path) -> None:
    request = request_about("ab/red.jpg")
    kept, sent = json.loads(request.body), json.loads(with_pictures(request.body))

    named, text = kept["messages"][1]["content"]
    assert named == {"type": "image_url", "image_url": {"url": "rendering:ab/red.jpg"}}
    assert text["text"].startswith("Question: Is there a dog?")
    put_in, same_text = sent["messages"][1]["content"]
    media_type, data = put_in["image_url"]["url"].split(";base64,")
    assert media_type == "data:image/jpeg"
    assert base64.b64decode(data) == (renderings / "ab" / "red.jpg").read_bytes()
    assert same_text == text


@pytest.mark.usefixtures("renderings")
def test_a_batch_holds_its_pictures(tmp_path: Path) -> None:
    [file] = write_batches([request_about("ab/red.jpg")], tmp_path / "batches", "judge")

    assert "data:image/jpeg;base64," in file.read_text()


@pytest.mark.usefixtures("renderings")
def test_a_question_that_names_the_scheme_is_no_picture() -> None:
    body = json.dumps({"messages": [{"role": "user", "content": "Is rendering:x a word?"}]})

    assert json.loads(with_pictures(body)) == json.loads(body)


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ("ab/gone.jpg", "can't be read .* render it with `dbt build"),
        ("../outside.jpg", "lies outside"),
    ],
)
def test_a_picture_that_cannot_be_put_in_says_which(
    renderings: Path, picture: str, message: str
) -> None:
    (renderings.parent / "outside.jpg").write_bytes((renderings / "ab/red.jpg").read_bytes())

    with pytest.raises(GainsayError, match=message):
        with_pictures(request_about(picture).body)


def test_a_model_that_takes_no_pictures_is_not_asked_about_them() -> None:
    with pytest.raises(GainsayError, match="turbo takes no pictures"):
        request_about("ab/red.jpg", model="gpt-3.5-turbo")


@pytest.mark.usefixtures("renderings")
def test_a_photograph_comes_before_the_picture_without_its_object(tmp_path: Path) -> None:
    photograph, archive = tmp_path / "oh!.png", tmp_path / "photographs.zip"
    Image.new("RGB", (4, 3), "blue").save(photograph)
    with zipfile.ZipFile(archive, "w") as opened:
        opened.write(photograph, "train/1.png")

    for path in (str(photograph), f"{archive}!train/1.png"):
        [first, second, text] = json.loads(with_pictures(pair_body(path)))["messages"][1]["content"]
        data = first["image_url"]["url"].removeprefix("data:image/png;base64,")
        assert base64.b64decode(data) == photograph.read_bytes()
        assert second["image_url"]["url"].startswith("data:image/jpeg;base64,")
        assert text["text"].startswith("Taken out: dog\n")


@pytest.mark.usefixtures("renderings")
def test_a_photograph_that_is_gone_says_which(tmp_path: Path) -> None:
    with pytest.raises(GainsayError, match=r"gone\.png: .* `gainsay land-images`"):
        with_pictures(pair_body(str(tmp_path / "gone.png")))


def pair_body(photograph: str) -> str:
    """A request's body about a photograph and the rendering without its dog."""
    values = {"object_name": "dog", "photograph": photograph, "picture": "ab/red.jpg"}
    prompt = read_prompt("extraneous_question")
    return make_request(prompt, "gpt-4o-mini", "coco-1::dog", values, 50).body
