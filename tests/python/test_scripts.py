"""Scripts of translations, on greetings and on the texts of the specification."""

import pyarrow as pa
import pytest

from gainsay.python_udfs.text.scripts import script_share, tidy_translation


@pytest.mark.parametrize(
    ("text", "script", "expected"),
    [
        ("Hola mundo", "latin", 1.0),
        ("你好世界", "han", 1.0),
        ("नमस्ते दुनिया", "devanagari", 1.0),
        ("مرحبا بالعالم", "arabic", 1.0),
        ("Hello world", "han", 0.0),
        ("Hello world", "arabic", 0.0),
        # slots and answer letters are no letters of the text
        ("哪张图片中的 {object_category} 更多。请回答 A 或 B。", "han", 1.0),
        ("多少 cats", "han", 2 / 6),
        # ¿ is no letter, í is one outside basic Latin
        ("¿Sí?", "latin", 0.5),
        ("123 ?!", "latin", 0.0),
        ("Hello", "runes", None),
        (None, "latin", None),
    ],
)
def test_the_share_of_a_script(text: str | None, script: str, expected: float | None) -> None:
    [found] = script_share(pa.array([text], pa.string()), pa.array([script])).to_pylist()
    assert found == (expected if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("多 少 cats", "zh", "多少 cats"),
        ("一 二  三", "zh", "一二三"),
        ("أي صورة؟", "ar", "\u200fأي صورة؟"),
        ("\u200f\u200f أي صورة؟", "ar", "\u200fأي صورة؟"),
        ("¿ Qué ?", "es", "¿ Qué ?"),
        (None, "ar", None),
    ],
)
def test_a_text_is_set_as_its_language_does(
    text: str | None, language: str, expected: str | None
) -> None:
    tidied = tidy_translation(pa.array([text], pa.string()), pa.array([language]))
    assert tidied.to_pylist() == [expected]
