"""Slots of templates, masked so that a machine that translates leaves them alone."""

import re

import pyarrow as pa

_SLOT = re.compile(r"\{[^{}]*\}")
# as machines spell a mask: spaces, case, brackets and underscores of full width, other digits
_MASK = re.compile(
    r"[\[\uff3b\u3010]\s*slot\s*[_\uff3f]?\s*(\d+)\s*[\]\uff3d\u3011]", re.IGNORECASE
)


def mask_slots(texts: pa.Array) -> pa.Array:
    """Each text with its slots as `[SLOT_0]`, `[SLOT_1]`, ... in the order in which they stand.

    Shapes: texts to texts; null for null. A slot that stands twice gets two numbers. Errors: none.
    """
    return pa.array([_masked(text) for text in texts.to_pylist()], pa.string())


def restore_slots(texts: pa.Array, templates: pa.Array) -> pa.Array:
    """Each text with its masks as the slots of the template that was masked.

    Shapes: texts and templates to texts; null where either is. Masks are found in any case, with
    spaces and in full-width brackets; one whose number the template lacks stays. Errors: none.
    """
    rows = zip(texts.to_pylist(), templates.to_pylist(), strict=True)
    return pa.array([_restored(*row) for row in rows], pa.string())


def _masked(text: str | None) -> str | None:
    if text is None:
        return None
    parts = _SLOT.split(text)
    masks = [f"[SLOT_{number}]" for number in range(len(parts) - 1)]
    return "".join(part + mask for part, mask in zip(parts, [*masks, ""], strict=True))


def _restored(text: str | None, template: str | None) -> str | None:
    if text is None or template is None:
        return None
    slots = _SLOT.findall(template)

    def slot_of(mask: re.Match[str]) -> str:
        number = int(mask[1])
        return slots[number] if number < len(slots) else mask[0]

    return _MASK.sub(slot_of, text)
