"""Makes a crash in native code leave Python's traceback where it can be read.

ipykernel puts a pipe, read by a thread of the kernel itself, in the place of stderr. What `PYTHONFAULTHANDLER=1` writes
there dies with the kernel. So the fault handler must be given a file that outlives it.
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import sys
from pathlib import Path
from typing import TextIO

from kerneldoc.watch import RECORDS_VARIABLE

# The handler writes into it from a dying process; it must never be closed.
_kept: list[TextIO] = []


def enable(path: str | os.PathLike[str] | None = None) -> str:
    """From now on a crash is traced: to `path`, else beside the records of its server, else to the server's log.

    Gives the place, in words.
    """
    records = os.environ.get(RECORDS_VARIABLE)
    if path is None and records:
        path = Path(records).with_name(f"crash-{os.getpid()}.log")
    stream = _server_log() if path is None else _file(Path(path))
    _kept.append(stream)
    faulthandler.enable(file=stream)
    return str(path or "the server's log")


def _file(path: Path) -> TextIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    atexit.register(_remove_if_empty, path)
    return os.fdopen(descriptor, "w")


def _server_log() -> TextIO:
    """ipykernel keeps a copy of the descriptor that it replaced, and `fileno` gives that."""
    return sys.stderr


def _remove_if_empty(path: Path) -> None:
    """A kernel that ended in order leaves nothing."""
    try:
        if path.stat().st_size == 0:
            path.unlink()
    except OSError:
        pass
