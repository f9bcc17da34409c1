"""A kernel's memory over time: what is written at once, and what only if the kernel dies."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from kerneldoc.record import Fields

# A sample is worth its line at once when memory moved by this much since the last one written …
NOTABLE_BYTES = 32 << 20
NOTABLE_SHARE = 0.05
# … or when so much time has passed. The rest waits in a ring for a death.
QUIET_SECONDS = 600.0
KEPT = 60


@dataclass
class Samples:
    """The ring of one kernel."""

    _ring: deque[tuple[str, Fields]] = field(default_factory=lambda: deque(maxlen=KEPT))
    _written_bytes: int | None = None
    _written_at: float = 0.0

    def add(self, time: str, seconds: float, sample: Fields) -> list[tuple[str, Fields]]:
        """Takes a sample read at `time`, `seconds` on a clock that only grows; gives what is to be written now."""
        size = sample.get("tree_rss_bytes")
        if not isinstance(size, int):
            return []
        if not self._notable(size, seconds):
            self._ring.append((time, sample))
            return []
        # The step before a leap shows how fast it was.
        before = [self._ring[-1]] if self._ring else []
        self._ring.clear()
        self._written_bytes, self._written_at = size, seconds
        return [*before, (time, sample)]

    def take(self) -> list[tuple[str, Fields]]:
        """What has not been written yet, oldest first."""
        waiting = list(self._ring)
        self._ring.clear()
        return waiting

    def _notable(self, size: int, seconds: float) -> bool:
        if self._written_bytes is None or seconds - self._written_at >= QUIET_SECONDS:
            return True
        change = abs(size - self._written_bytes)
        return change >= NOTABLE_BYTES and change >= NOTABLE_SHARE * self._written_bytes
