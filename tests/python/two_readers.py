"""How far two readers agree, as the page of readings says it."""

from collections.abc import Iterable


def agreement(verdicts: Iterable[tuple[bool, bool | None]]) -> tuple[int, str]:
    """How many records both judged, and the sentence of the page; None is no second verdict."""
    pairs = [(first, second) for first, second in verdicts if second is not None]
    share = {reader: sum(pair[reader] is True for pair in pairs) / len(pairs) for reader in (0, 1)}
    agreed = sum(first == second for first, second in pairs) / len(pairs)
    by_chance = share[0] * share[1] + (1 - share[0]) * (1 - share[1])
    kappa = (agreed - by_chance) / (1 - by_chance)
    return (
        len(pairs),
        f"judged {len(pairs)} of them: agreement {agreed:.1%}, kappa {kappa:.2f}.",
    )
