"""Events of dbt's are written down only where a log or a listener takes them.

dbt makes a message of every event, a hundred thousand in a build of everything, and then finds that
neither the terminal nor the log shows most of them.

In dbt itself: `EventManager.fire_event` would ask its loggers for their levels first, and callbacks
would be registered with the names of the events that they take.
"""

from typing import Any

from dbt.tracking import track_behavior_change_warn
from dbt_common.events.base_types import BaseEvent, EventLevel
from dbt_common.events.event_manager import EventManager

_fire_event = EventManager.fire_event


def fire_heard_event(
    manager: EventManager,
    event: BaseEvent,
    level: EventLevel | None = None,
    *arguments: Any,
    **options: Any,
) -> None:
    """What `EventManager.fire_event` does, for what is said aloud and what somebody heeds."""
    if (level or event.level_tag()) != EventLevel.DEBUG or _is_heard(manager, event):
        _fire_event(manager, event, level, *arguments, **options)


def _is_heard(manager: EventManager, event: BaseEvent) -> bool:
    return any(logger.level == EventLevel.DEBUG for logger in manager.loggers) or any(
        _heeds(callback, type(event).__name__) for callback in manager.callbacks
    )


def _heeds(callback: Any, event: str) -> bool:
    if callback is track_behavior_change_warn:
        return False
    names = getattr(callback, "heeded_events", None)
    return names is None or event in names


REPLACED = ((EventManager, "fire_event", fire_heard_event),)
