"""Questions of VLM Reality Check before people: from the queue over the page to agreement."""

import json
from collections.abc import Mapping

import duckdb
import pytest

from tests.python.conftest import Warehouse
from tests.python.review_server import Json, Reader, review_server

QUEUE = ("reality_check", "reality_check_language")
# by question what each reader says of the three records, in the order of the queue
ANSWERS: dict[str, dict[str, tuple[str, ...]]] = {
    "ann": {"is_fluent": ("yes", "yes", "no"), "is_accurate": ("yes", "yes", "yes")},
    "bob": {"is_fluent": ("yes", "no", "no"), "is_accurate": ("yes", "yes", "yes")},
}
RECORDS = [
    "reality_check__slot_texts", "reality_check__descriptions", "reality_check__option_texts",
    "reality_check__questions", "reality_check__translation_sample",
    "reality_check__review_records", "review__records", "review__progress",
]  # fmt: skip
VERDICTS = [
    "people__votes", "people__verdicts", "reality_check__translation_agreement", "review__votes",
    "review__verdicts", "review__agreement", "review__progress",
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
    return warehouse.build("--select", *RECORDS)


def test_every_question_waits_in_every_language(warehouse: Warehouse) -> None:
    assert warehouse.rows("""
        select split_part(record_id, '::', 4) as language, count(*), min(draw), max(draw)
        from review.review__records
        where queue = 'reality_check_language'
        group by language
        order by min(draw)
    """) == [
        ("en", 3, 1, 3), ("es", 3, 4, 6), ("zh", 3, 7, 9), ("hi", 3, 10, 12), ("ar", 3, 13, 15),
    ]  # fmt: skip


def test_two_readers_of_the_page_have_their_agreement(warehouse: Warehouse) -> None:
    """Two of three answers on fluency are alike, with three of six yes: 1/3 by Fleiss."""
    spanish = "select record_id from review.review__records where record_id like '%::es'"
    with review_server(warehouse.path, "--queue", QUEUE[1], "--query", spanish) as server:
        shown = [_read_all(Reader(server.port, name), answers) for name, answers in ANSWERS.items()]
        assert shown[0] == shown[1]
        assert all(text.startswith("¿") for text in shown[0]), shown
        assert "36 votes" in server.stop()
    warehouse.build("--select", *VERDICTS)

    measured = warehouse.rows("""
        select
            language, question, n_records, n_judged, n_decided, n_accepted, n_undecided,
            n_readers, n_compared, percent, fleiss_kappa, cohen_kappa
        from reality_check.reality_check__translation_agreement
        where n_judged > 0
        order by question
    """)
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
