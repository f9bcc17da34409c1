"""Nothing that the recorder does may hurt the server it runs in."""

from __future__ import annotations

import logging
from typing import Any, Callable, TypeVar

Result = TypeVar("Result")


class Guard:
    """Runs hooks; what goes wrong in them is logged once a place and goes no further."""

    def __init__(self, log: logging.Logger) -> None:
        """`log` is where a fault is told, the server's own log as a rule."""
        self._log = log
        self._told: set[str] = set()

    def run(self, hook: Callable[..., Result], *arguments: Any, **named: Any) -> Result | None:  # noqa: ANN401
        """What the hook gives, or nothing if it fails."""
        try:
            return hook(*arguments, **named)
        except Exception as fault:  # noqa: BLE001  That is what this class is for.
            self.tell(getattr(hook, "__qualname__", repr(hook)), fault)
            return None

    def tell(self, place: str, fault: BaseException) -> None:
        """Logs the first fault at a place, with its traceback for those who debug."""
        if place in self._told:
            return
        self._told.add(place)
        self._log.warning("kerneldoc's recorder: %s failed, its records are incomplete: %r", place, fault)
        self._log.debug("kerneldoc's recorder: the traceback", exc_info=fault)
