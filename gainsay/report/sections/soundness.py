"""Whether the build can be relied on: integrity checks, agreement, lineage and test results."""

from collections.abc import Callable, Sequence

from gainsay.report.sections.blocks import (
    MOST_ROWS,
    MOST_RUNS,
    NOT_BUILT,
    Note,
    Section,
    anchor,
    in_list,
)
from gainsay.report.tables import Column, Reader, Table, literal


def checks(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """The integrity checks of the benchmarks' manifests."""
    section = Section(
        "checks",
        "Integrity checks",
        "What must hold of a benchmark's examples: the value that was measured, and the most that"
        " is allowed.",
    )
    if not reader.has("report.report__manifests"):
        section.blocks.append(Note(NOT_BUILT))
        return section
    checks = reader.table(
        "integrity",
        "Integrity checks of the manifests",
        f"""
        select benchmark, protocol, item as check_name, cast(value as bigint) as n_violations,
            0 as most_violations, cast(value as bigint) <= 0 as is_passed
        from report.report__manifests
        where section = 'integrity' and benchmark in ({in_list(benchmarks)})
        order by benchmark, protocol, check_name
        """,
        [
            Column("benchmark", "benchmark"),
            Column("protocol", "protocol"),
            Column("check_name", "check"),
            Column("n_violations", "violations", "count"),
            Column("most_violations", "allowed", "count"),
            Column("is_passed", "holds", "flag"),
        ],
    )
    section.blocks.append(checks if checks.rows else Note("No benchmark publishes a check."))
    return section


def guessing(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """What a reader guesses that sees no picture, and by which words."""
    section = Section(
        "guessing",
        "Can it be guessed?",
        "A reader that sees no picture guesses what is right, by naive Bayes on words and pairs of"
        " words. The margin is by how much it is better than the most frequent label.",
    )
    if not reader.has("audit.audit__blind_scores"):
        section.blocks.append(Note(NOT_BUILT))
        return section
    scores = reader.table(
        "blind-scores",
        "The blind reader on all examples, and on what a limit holds for",
        f"""
        select benchmark, condition, guessed, "view", reader, slice_name, slice_value, n, n_groups,
            most_frequent_accuracy, blind_accuracy, margin, margin_error, margin_limit,
            is_limit_met, n_counted_groups, group_accuracy, group_limit, is_group_limit_met
        from audit.audit__blind_scores
        where
            (slice_name = 'all' or margin_limit is not null)
            and benchmark in ({in_list(benchmarks)})
        order by benchmark, condition, guessed, "view", reader, slice_name, slice_value
        limit {MOST_ROWS}
        """,
        [
            Column("benchmark", "benchmark"),
            Column("condition", "condition"),
            Column("guessed", "guessed"),
            Column("view", "from"),
            Column("reader", "reader"),
            Column("slice_name", "slice"),
            Column("slice_value", "of"),
            Column("n", "examples", "count"),
            Column("n_groups", "groups", "count"),
            Column("most_frequent_accuracy", "most frequent", "share"),
            Column("blind_accuracy", "guessed right", "share"),
            Column("margin", "margin", "share"),
            Column("margin_error", "error", "share"),
            Column("margin_limit", "limit", "share"),
            Column("is_limit_met", "met", "flag"),
            Column("n_counted_groups", "whole groups", "count"),
            Column("group_accuracy", "groups right", "share"),
            Column("group_limit", "limit", "share"),
            Column("is_group_limit_met", "met", "flag"),
        ],
    )
    if not scores.rows:
        section.blocks.append(Note("No example of these benchmarks was read blind."))
        return section
    if reader.has("audit.audit__variety", "audit.audit__readings", "audit.audit__funnel"):
        section.blocks.append(_three_questions(reader, benchmarks))
    if reader.has("audit.audit__readings"):
        section.blocks.append(_readings(reader, benchmarks))
    if reader.has("audit.audit__group_coverage"):
        section.blocks.append(_group_coverage(reader, benchmarks))
    if reader.has("audit.audit__variety"):
        section.blocks.append(_varieties(reader, benchmarks))
    section.blocks.append(scores)
    section.blocks.append(
        reader.table(
            "telltale-words",
            "The words that tell most, five of each view",
            f"""
            select benchmark, condition, guessed, "view", part, words, label, n_with_label,
                n_with_other_labels, log_odds, example_id
            from audit.audit__telltale_words
            where place <= 5 and benchmark in ({in_list(benchmarks)})
            order by benchmark, condition, guessed, "view", place
            limit {MOST_ROWS}
            """,
            [
                Column("benchmark", "benchmark"),
                Column("condition", "condition"),
                Column("guessed", "guessed"),
                Column("view", "from"),
                Column("part", "in"),
                Column("words", "words"),
                Column("label", "speak for"),
                Column("n_with_label", "with it", "count"),
                Column("n_with_other_labels", "else", "count"),
                Column("log_odds", "log odds", "number"),
                Column("example_id", "such as"),
            ],
        )
    )
    return section


def _three_questions(reader: Reader, benchmarks: Sequence[str]) -> Table:
    """Whether to answer, what to answer, how varied it is and who read it: one line a benchmark.

    The margins and splits are those that a limit holds for, or else of all examples. Sets of
    others stand below ours; nobody here has read them.
    """
    return reader.table(
        "three-questions",
        "Can it be guessed whether to answer, and what? Is it varied? Was it read?",
        f"""
        with margins as (
            select benchmark, case guessed when 'answer' then 'what' else 'whether' end as asked,
                max(margin) as margin
            from (
                select *, dense_rank() over (
                    partition by benchmark, guessed = 'answer' order by margin_limit is null
                ) as place
                from audit.audit__blind_scores
                where reader = 'cross_fitted' and (
                    margin_limit is not null or (slice_name = 'all' and "view" <> 'both')
                )
            ) as limited_first
            where place = 1
            group by all
        ),
        whole_groups as (
            select benchmark, max(group_accuracy) as whole_groups
            from audit.audit__blind_scores
            where group_limit is not null
            group by benchmark
        ),
        varieties as (
            select *, row_number() over (
                partition by benchmark order by is_limit_met is null, split <> 'all', split
            ) as place
            from audit.audit__variety
            where slice_name = 'all' and (split = 'all' or is_limit_met is not null)
        ),
        readings as (
            select benchmark, sum(n) as n_read, max(read_on) as read_on, string_agg(
                concat(name, ': ', round(100 * share_right, 1), ' % of ', n, case
                    when n_second > 0
                        then concat(', ', n_second, ' read twice, ',
                            round(100 * share_agreed, 1), ' % alike')
                end), '; ' order by place
            ) as readings
            from audit.audit__readings
            group by benchmark
        ),
        ours as (select distinct benchmark from audit.audit__funnel)
        select varieties.benchmark, split, whether.margin as whether, what.margin as what,
            whole_groups, n_groups, n_questions, effective_questions, most_frequent_question,
            most_frequent_share, told_share, example_id, n_read, read_on, readings
        from varieties
        left join margins as whether
            on varieties.benchmark = whether.benchmark and whether.asked = 'whether'
        left join margins as what
            on varieties.benchmark = what.benchmark and what.asked = 'what'
        left join whole_groups on varieties.benchmark = whole_groups.benchmark
        left join readings on varieties.benchmark = readings.benchmark
        where varieties.place = 1 and (
            varieties.benchmark in ({in_list(benchmarks)})
            or varieties.benchmark not in (select benchmark from ours)
        )
        order by varieties.benchmark not in (select benchmark from ours), varieties.benchmark
        """,
        [
            Column("benchmark", "benchmark"),
            Column("split", "split"),
            Column("whether", "whether: margin", "share"),
            Column("what", "what: margin", "share"),
            Column("whole_groups", "whole groups", "share"),
            Column("n_groups", "asked", "count"),
            Column("n_questions", "questions", "count"),
            Column("effective_questions", "in effect", "number"),
            Column("most_frequent_question", "most frequent"),
            Column("most_frequent_share", "its share", "share"),
            Column("told_share", "answers told by others", "share"),
            Column("example_id", "such as"),
            Column("n_read", "read", "count"),
            Column("read_on", "last on"),
            Column("readings", "right, readers say", "prose"),
        ],
    )


def _readings(reader: Reader, benchmarks: Sequence[str]) -> Table:
    return reader.table(
        "readings",
        "What readers judged, record by record",
        f"""
        select benchmark, name, read_on, n, share_right, n_second, share_agreed, judged
        from audit.audit__readings
        where benchmark in ({in_list(benchmarks)})
        order by benchmark, place
        """,
        [
            Column("benchmark", "benchmark"),
            Column("name", "reading", "code"),
            Column("read_on", "last on"),
            Column("n", "records", "count"),
            Column("share_right", "right", "share"),
            Column("n_second", "read twice", "count"),
            Column("share_agreed", "alike", "share"),
            Column("judged", "what was judged", "prose"),
        ],
        is_folded=True,
    )


def _group_coverage(reader: Reader, benchmarks: Sequence[str]) -> Table:
    return reader.table(
        "group-coverage",
        "How many records count together, in groups of the same words with different right answers",
        f"""
        select benchmark, condition, n_records, n_grouped_records, grouped_share, n_groups
        from audit.audit__group_coverage
        where benchmark in ({in_list(benchmarks)})
        order by benchmark, condition
        """,
        [
            Column("benchmark", "benchmark"),
            Column("condition", "condition"),
            Column("n_records", "records", "count"),
            Column("n_grouped_records", "in groups", "count"),
            Column("grouped_share", "share", "share"),
            Column("n_groups", "groups", "count"),
        ],
    )


def _varieties(reader: Reader, benchmarks: Sequence[str]) -> Table:
    return reader.table(
        "variety",
        "How varied each split is, and what a limit holds for",
        f"""
        select benchmark, split, slice_value, n_groups, n_questions, effective_questions,
            least_effective_questions, most_frequent_question, most_frequent_share,
            most_frequent_limit, told_share, told_limit, effective_answers, n_pictures,
            most_groups_of_picture, example_id, is_limit_met
        from audit.audit__variety
        where
            (slice_name = 'all' or is_limit_met is not null)
            and benchmark in ({in_list(benchmarks)})
        order by benchmark, split, slice_name, slice_value
        limit {MOST_ROWS}
        """,
        [
            Column("benchmark", "benchmark"),
            Column("split", "split"),
            Column("slice_value", "of"),
            Column("n_groups", "groups", "count"),
            Column("n_questions", "questions", "count"),
            Column("effective_questions", "in effect", "number"),
            Column("least_effective_questions", "at least", "number"),
            Column("most_frequent_question", "most frequent"),
            Column("most_frequent_share", "its share", "share"),
            Column("most_frequent_limit", "at most", "share"),
            Column("told_share", "told by others", "share"),
            Column("told_limit", "at most", "share"),
            Column("effective_answers", "answers in effect", "number"),
            Column("n_pictures", "pictures", "count"),
            Column("most_groups_of_picture", "groups of one", "count"),
            Column("example_id", "such as"),
            Column("is_limit_met", "met", "flag"),
        ],
        is_folded=True,
    )


def agreement(reader: Reader) -> Section:
    """How far people, and judges, agree."""
    section = Section(
        "agreement", "Agreement of people and judges", "How far those who judged the same agree."
    )
    readings: list[tuple[str, Callable[[Reader], Table]]] = [
        ("review.review__agreement", _agreement_of_people),
        ("evaluation.evaluation__judge_agreement", _agreement_of_judges),
    ]
    for relation, read in readings:
        if reader.has(relation):
            table = read(reader)
            if table.rows:
                section.blocks.append(table)
    if not section.blocks:
        section.blocks.append(Note("No reader has judged a record yet."))
    return section


def _agreement_of_people(reader: Reader) -> Table:
    return reader.table(
        "agreement-people",
        "People on records of the review",
        f"""
        select benchmark, queue, question, readers, n_records, percent, percent_low, percent_high,
            krippendorff_alpha, krippendorff_alpha_low, krippendorff_alpha_high, fleiss_kappa,
            cohen_kappa, gwet_ac1, gwet_ac1_low, gwet_ac1_high, count(*) over () as n_rows
        from review.review__agreement
        order by benchmark, queue, question, readers <> 'all', readers
        limit {MOST_ROWS}
        """,
        [
            Column("benchmark", "benchmark"),
            Column("queue", "queue"),
            Column("question", "question"),
            Column("readers", "readers"),
            Column("n_records", "records of several", "count"),
            Column("percent", "alike", "share"),
            Column("percent_low", "from", "share"),
            Column("percent_high", "to", "share"),
            Column("krippendorff_alpha", "Krippendorff's alpha", "number"),
            Column("krippendorff_alpha_low", "from", "number"),
            Column("krippendorff_alpha_high", "to", "number"),
            Column("fleiss_kappa", "Fleiss' kappa", "number"),
            Column("cohen_kappa", "Cohen's kappa", "number"),
            Column("gwet_ac1", "Gwet's AC1", "number"),
            Column("gwet_ac1_low", "from", "number"),
            Column("gwet_ac1_high", "to", "number"),
        ],
    )


def _agreement_of_judges(reader: Reader) -> Table:
    return reader.table(
        "agreement-judges",
        "Judges on open-ended answers",
        f"""
        select model, run, condition, judges, metric, value, standard_deviation, n,
            count(*) over () as n_rows
        from evaluation.evaluation__judge_agreement
        order by model, run, condition, judges, metric
        limit {MOST_ROWS}
        """,
        [
            Column("model", "model"),
            Column("run", "run"),
            Column("condition", "condition"),
            Column("judges", "judges"),
            Column("metric", "metric"),
            Column("value", "percent", "number"),
            Column("standard_deviation", "deviation", "number"),
            Column("n", "answers", "count"),
        ],
    )


def lineage(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """Where the columns of examples and screenings come from, one step down."""
    section = Section(
        "lineage",
        "Where columns come from",
        "One step down for each column of the examples and screenings;"
        " `gainsay lineage MODEL.COLUMN` goes on to the raw tables.",
    )
    if reader.has("audit.audit__column_lineage"):
        for benchmark in benchmarks:
            for port in ("examples", "screened"):
                table = _origins(reader, f"{benchmark}__{port}")
                if table.rows:
                    section.blocks.append(table)
    if not section.blocks:
        section.blocks.append(
            Note("Not read yet: run `gainsay lineage --land`, then `gainsay build`.")
        )
    return section


def _origins(reader: Reader, model: str) -> Table:
    return reader.table(
        anchor("lineage", model),
        model,
        f"""
        select column_name, string_agg(
            distinct coalesce(from_model || '.' || from_column, literal) || ' (' || kind || ')',
            ', '
            order by coalesce(from_model || '.' || from_column, literal) || ' (' || kind || ')'
        ) as origins
        from audit.audit__column_lineage
        where model = {literal(model)} and kind <> 'rows'
        group by column_name
        order by column_name
        """,
        [Column("column_name", "column", "code"), Column("origins", "comes from", "code")],
        is_folded=True,
    )


def test_runs(reader: Reader) -> Section:
    """The tests of the last runs, and those that did not pass."""
    section = Section(
        "tests", "Test results over builds", "Every data test and unit test of the last runs."
    )
    if not reader.has("audit.audit__test_results"):
        section.blocks.append(Note("No test has run yet: `gainsay build` runs them."))
        return section
    section.blocks.extend(
        [
            reader.table(
                "test-runs",
                "Tests by run",
                f"""
            select started_at, count(*) as n_tests,
                count(*) filter (where status = 'pass') as n_passed,
                count(*) filter (where status = 'warn') as n_warned,
                count(*) filter (where status in ('fail', 'error')) as n_failed,
                count(*) filter (where status = 'skipped') as n_skipped,
                sum(seconds) as seconds
            from audit.audit__test_results
            group by invocation_id, started_at
            order by started_at desc, invocation_id
            limit {MOST_RUNS}
            """,
                [
                    Column("started_at", "started (UTC)"),
                    Column("n_tests", "tests", "count"),
                    Column("n_passed", "passed", "count"),
                    Column("n_warned", "warned", "count"),
                    Column("n_failed", "failed", "count"),
                    Column("n_skipped", "skipped", "count"),
                    Column("seconds", "seconds", "number"),
                ],
            ),
            reader.table(
                "tests-failed",
                "Tests that did not pass when they last ran",
                f"""
            select test_name, tested_nodes, status, n_failures, message, started_at,
                count(*) over () as n_rows
            from (
                select * from audit.audit__test_results
                qualify row_number() over (
                    partition by test_name order by started_at desc, invocation_id
                ) = 1
            )
            where status <> 'pass'
            order by test_name
            limit {MOST_ROWS}
            """,
                [
                    Column("test_name", "test", "code"),
                    Column("tested_nodes", "of", "code"),
                    Column("status", "status"),
                    Column("n_failures", "rows found", "count"),
                    Column("message", "message", "prose"),
                    Column("started_at", "started (UTC)"),
                ],
            ),
        ]
    )
    return section
