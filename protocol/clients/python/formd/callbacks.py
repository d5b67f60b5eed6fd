"""Lists of the program's callbacks: adding, removing and calling them."""

from __future__ import annotations

import logging
from typing import Any, Callable, Sequence, TypeVar

log = logging.getLogger("formd")

T = TypeVar("T")


def _subscribe(callbacks: list[T], callback: T) -> Callable[[], None]:
    callbacks.append(callback)

    def forget() -> None:
        for index, one in enumerate(callbacks):
            if one is callback:
                del callbacks[index]
                return

    return forget


def _deliver(callbacks: Sequence[Callable[..., None]], *arguments: Any) -> None:
    for callback in list(callbacks):
        _guarded(callback, *arguments)


def _guarded(callback: Callable[..., None], *arguments: Any) -> None:
    """Calls a callback of the program. An exception is logged, and the reader goes on."""
    try:
        callback(*arguments)
    except Exception:
        log.exception("a callback failed")
