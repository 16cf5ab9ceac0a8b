"""Questions of VLM Reality Check in other languages: machines translate, and people judge.

One warehouse shows the whole way: templates that a language model and a network translate, checks
and fallbacks, the questions' queue, the review page and the agreement of its readers.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from gainsay.foundation.connection import connect
from gainsay.python_udfs.text.slots import mask_slots
from gainsay.python_udfs.text.translating import network_version
from gainsay.review.agreement import agreement_of
from gainsay.review.records import read_queues
from gainsay.review.standing import Standing
from tests.python.batch_output import answer_line
from tests.python.conftest import Warehouse
from tests.python.review_server import Json, Reader, review_server
from tests.python.test_translating import write_parrot

QUEUE = ("reality_check", "reality_check_language")
# by question what each reader says of the three records, in the order of the queue
ANSWERS: dict[str, dict[str, tuple[str, ...]]] = {
    "ann": {"is_fluent": ("yes", "yes", "no"), "is_accurate": ("yes", "yes", "yes")},
    "bob": {"is_fluent": ("yes", "no", "no"), "is_accurate": ("yes", "yes", "yes")},
}
# what a language model says in Chinese of templates, and the check that it fails
SAID: dict[str, tuple[str | None, str | None, str | None]] = {
    "counting_1": ("[ slot_0 ] 在 哪张图片里更多。请回答 A 或 B。", None, None),
    "counting_2": ("哪张图片里更多。请回答 A 或 B。", "slot_lost", "its slots are none"),
    "counting_3": ("哪张图片里的 SLOT 更多。请回答 A 或 B。", "slot_lost", "its slots are none"),
    "texture_1": ("Same? 是 or 否", "wrong_script", None),
    "texture_2": ("是/否", "too_short", None),
    "texture_3": (None, "translation_missing", "response_refused"),
    "texture_4": (" ", "translation_missing", None),
}
# what a network says again in English that should be Spanish
REPEATED = {
    "counting_1": ("untranslated", None),
    "texture_1": ("slot_lost", "it lacks Sí"),
}
RECORDS = [
    "llm__outcomes",
    "reality_check__template_texts", "reality_check__translation_findings",
    "reality_check__translations_screened", "reality_check__templates",
    "reality_check__slot_texts", "reality_check__option_texts",
    "reality_check__record_questions", "reality_check__questions",
    "reality_check__translation_sample",
    "reality_check__review_records", "review__records", "review__progress",
]  # fmt: skip
VERDICTS = [
    "people__votes", "people__verdicts", "review__votes", "review__verdicts",
    "review__agreement", "review__progress",
]  # fmt: skip


@pytest.fixture(scope="module")
def warehouse(tiny: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A warehouse with three challenges, whose questions wait for people."""
    warehouse = tiny.copied_to(tmp_path_factory.mktemp("language_queue"))
    with duckdb.connect(warehouse.path) as connection:
        for label, number in (("cats", 1), ("dogs", 2), ("sheep", 3)):
            connection.execute(
                """
                insert into reality_check.reality_check__challenges by name
                select
                    'counting::coco-' || $number || '::coco-9' as challenge_id,
                    challenge_id as pair_id, 'counting' as bias_type,
                    ['counting'] as bias_types_combined, 'pair' as question_role,
                    'easy' as difficulty, 'test' as split, 'coco-' || $number as image_a_id,
                    'coco-9' as image_b_id, 'a.jpg' as image_a_file, 'b.jpg' as image_b_file,
                    'ab' as asked_images, 'counting_1' as template_id, $slots as slots,
                    'letter' as answer_format, 'B' as correct_answer, 'B' as correct_text,
                    ['A'] as distractor_answers, 'object_count' as ground_truth_method,
                    true as confound_check_passed, true as is_redistributable
                """,
                {"number": number, "slots": json.dumps({"object_category": label})},
            )
        _give_to_machines(connection, warehouse.folder / "parrot")
    batches = warehouse.folder / "batches"
    warehouse.gainsay("llm", "export", "--task", "translate_template", "--model", "m", batches)
    requests = {
        input_id: str(custom_id)
        for input_id, custom_id in warehouse.rows(
            "select input_id, custom_id from raw.llm_requests"
        )
    }
    answers = warehouse.folder / "answers.jsonl"
    answers.write_text(
        "\n".join(_answer(requests[f"{name}::zh"], said) for name, (said, *_) in SAID.items())
    )
    warehouse.gainsay("llm", "import", answers)
    return warehouse.build("--select", *RECORDS)


def _give_to_machines(connection: duckdb.DuckDBPyConnection, network: Path) -> None:
    """Templates for a language model in Chinese, and for a network in Spanish that says them again.

    They are rows of `reality_check__machine_templates`, as the var makes them.
    """
    texts = dict(
        connection.execute(
            "select template_id, text_en from vocabulary.reality_check_question_templates"
        ).fetchall()
    )
    masked = dict(zip(texts, mask_slots(pa.array(list(texts.values()))).to_pylist(), strict=True))
    write_parrot(network, list(masked.values()))
    rows: list[tuple[str | None, ...]] = [
        (name, "zh", "Chinese", "llm", None, "是", "否") for name in SAID
    ]
    rows += [(name, "es", "Spanish", "marian", str(network), "Sí", "No") for name in REPEATED]
    connection.executemany(
        """
        insert into reality_check.reality_check__machine_templates by name
        select
            $1 || '::' || $2 as input_id, $1 as template_id, $2 as language,
            $3 as language_name, $4 as translator, $5 as network_folder, $6 as yes_word,
            $7 as no_word, $8 as text_en, $9 as masked_text
        """,
        [(*row, texts[row[0]], masked[row[0]]) for row in rows],
    )


def _answer(custom_id: str, said: str | None) -> str:
    """The line of a batch's output in which a language model answers, or refuses to."""
    content = None if said is None else json.dumps({"translation": said})
    return answer_line(custom_id, content, "I cannot" if said is None else None)


def test_what_machines_translate_passes_every_check_or_drops(warehouse: Warehouse) -> None:
    found = warehouse.rows("""
        select template_id, language, translator, translator_version, drop_reason, drop_detail
        from reality_check.reality_check__translations_screened
        where translator <> 'templates'
    """)
    version = network_version(str(warehouse.folder / "parrot"))
    assert set(found) == {
        *((name, "zh", "llm", "m", reason, detail) for name, (_, reason, detail) in SAID.items()),
        *((name, "es", "marian", version, *dropped) for name, dropped in REPEATED.items()),
    }


def test_what_fails_falls_back_to_what_was_written(warehouse: Warehouse) -> None:
    """Questions name who translated them, and their text is tidied and has its slots."""
    assert warehouse.rows("""
        select distinct language, translator, question
        from reality_check.reality_check__questions
        where challenge_id = 'counting::coco-1::coco-9' and language in ('es', 'zh')
        order by language
    """) == [
        ("es", "templates", "¿Qué imagen tiene más cats? Responde A o B."),
        ("zh", "llm", "cats 在哪张图片里更多。请回答 A 或 B。"),
    ]
    assert warehouse.rows("""
        select language, translator, count(*)
        from reality_check.reality_check__templates
        where language in ('es', 'zh')
        group by language, translator
        order by language, translator
    """) == [("es", "templates", 50), ("zh", "llm", 1), ("zh", "templates", 49)]


def test_every_question_waits_in_every_other_language(warehouse: Warehouse) -> None:
    assert warehouse.rows("""
        select split_part(record_id, '::', 4) as language, count(*), min(draw), max(draw)
        from review.review__records
        where queue = 'reality_check_language'
        group by language
        order by min(draw)
    """) == [
        ("es", 3, 1, 3), ("zh", 3, 4, 6), ("hi", 3, 7, 9), ("ar", 3, 10, 12),
    ]  # fmt: skip


def test_two_readers_of_the_page_have_their_agreement(warehouse: Warehouse) -> None:
    """Two of three answers on fluency are alike, with three of six yes: 1/3 by Fleiss."""
    spanish = "select record_id from review.review__records where record_id like '%::es'"
    with review_server(warehouse.path, "--queue", QUEUE[1], "--query", spanish) as server:
        shown = [_read_all(Reader(server.port, name), answers) for name, answers in ANSWERS.items()]
        assert shown[0] == shown[1]
        assert all(text.startswith("¿") for text in shown[0]), shown
        assert "36 votes" in server.stop()
    with connect(read_only=True, path=warehouse.path) as connection:
        [queue] = read_queues(connection, *QUEUE)
    live = agreement_of(Standing(queue, queue.earlier))
    warehouse.build("--select", *VERDICTS)
    # what is said while people work is what the build says afterwards
    statistics = ["n_records", "percent", "percent_low", "percent_high", "gwet_ac1", "fleiss_kappa"]
    built = warehouse.rows(f"""
        select question, {", ".join(statistics)}
        from review.review__agreement
        where queue = 'reality_check_language' and readers = 'all'
        order by question
    """)
    assert built == [
        (question, *(pytest.approx(live[question][name], abs=1e-8) for name in statistics))
        for question in sorted(live)
    ]

    measured = warehouse.rows_of_analysis(
        "reality_check__translation_agreement",
        """
        select
            language, question, n_records, n_judged, n_decided, n_accepted, n_undecided,
            n_readers, n_compared, percent, fleiss_kappa, cohen_kappa
        from analysis
        where n_judged > 0
        order by question
        """,
    )
    assert measured == [
        ("es", "is_accurate", 3, 3, 3, 3, 0, 2, 3, 1.0, None, None),
        ("es", "is_fluent", 3, 3, 3, 1, 1, 2, 3, 0.666666667, 0.333333333, 0.4),
    ]
    assert warehouse.rows("""
        select readers, round(percent, 6), round(fleiss_kappa, 6)
        from review.review__agreement
        where queue = 'reality_check_language' and question = 'is_fluent'
        order by readers
    """) == [("all", 0.666667, 0.333333), ("ann & bob", 0.666667, 0.333333)]


def _read_all(reader: Reader, answers: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Answer whatever comes next until nothing does; returns the texts that were judged."""
    judged = []
    for place in range(3):
        record: Json = reader.next(QUEUE)["record"]
        judged.append("".join(part["text"] for part in record["texts"][-1]["parts"]))
        for question, given in answers.items():
            # a slip of the finger that is taken back counts nowhere
            slip = reader.vote(QUEUE, record, "no", question)
            vote = reader.vote(QUEUE, record, given[place], question)
            events = [slip, reader.undo(slip), vote]
            status, receipt = reader.send(*events)
            assert (status, receipt["acknowledged"]) == (200, [each["event_id"] for each in events])
    assert reader.next(QUEUE)["record"] is None
    return judged
