"""The file that records are appended to."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

OURS = re.compile(r"records-\d+\.ndjson(\.old)?|crash-\d+\.log")
DAY = 24 * 60 * 60


class RecordFile:
    """Appends whole lines, each in one `write`. When the file has grown to its limit it is moved aside, once."""

    def __init__(self, path: Path, max_bytes: int, first: Callable[[], bytes]) -> None:
        """With the file moved aside, twice `max_bytes` are kept. `first` gives the line that opens a new file."""
        self.path = path
        self._max_bytes = max_bytes
        self._first = first
        self._descriptor: int | None = None

    def append(self, line: bytes) -> None:
        """Writes a line. After an `OSError` the file is closed, and the next line tries again."""
        try:
            os.write(self._opened(), line)
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Closes the file; the next line opens it again."""
        if self._descriptor is not None:
            descriptor, self._descriptor = self._descriptor, None
            os.close(descriptor)

    def _opened(self) -> int:
        if self._descriptor is not None and os.fstat(self._descriptor).st_size >= self._max_bytes:
            self.close()
            self.path.replace(self.path.with_name(self.path.name + ".old"))
        if self._descriptor is None:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Notebooks' paths are nobody else's business.
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            if os.fstat(self._descriptor).st_size == 0:
                os.write(self._descriptor, self._first())
        return self._descriptor


def forget(folder: Path, days: int) -> None:
    """Removes the records of long ago: files of ours that nobody has written to for so many days."""
    oldest = time.time() - days * DAY
    for file in folder.iterdir() if folder.is_dir() else ():
        if OURS.fullmatch(file.name) and file.stat().st_mtime < oldest:
            file.unlink(missing_ok=True)
