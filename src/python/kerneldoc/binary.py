"""The `kerneldoc` program that the wheel brings, called from Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, Union

PathOrBytes = Union[str, "os.PathLike[str]", bytes]
# A death was found: what was asked for, no failure.
FOUND = (0, 1)


class KerneldocError(Exception):
    """The program said why it could not; the message is its own."""


def binary() -> str:
    """The program beside this Python, else the one on the path."""
    name = "kerneldoc.exe" if sys.platform == "win32" else "kerneldoc"
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", f"{os.name}_user"),
        sys.exec_prefix + "/bin",
    ]
    for folder in folders:
        if (beside := Path(folder) / name).is_file():
            return str(beside)
    if found := shutil.which(name):
        return found
    message = "the program is missing\nhelp: it comes with the wheel; `pip install --force-reinstall kerneldoc`"
    raise KerneldocError(message)


def run(*arguments: str, given: bytes | None = None) -> bytes:
    """What the program writes, with `given` on its standard input."""
    done = subprocess.run([binary(), *arguments], input=given, capture_output=True, check=False)  # noqa: S603  Our own program.
    if done.returncode not in FOUND:
        raise KerneldocError(done.stderr.decode("utf-8", "replace").strip())
    return done.stdout


def diagnose(*paths: PathOrBytes, options: tuple[str, ...] = ()) -> dict[str, Any]:
    """Says why the kernels died of which these folders or files tell; `bytes` are a log itself.

    The answer is the report that `kerneldoc schema report` describes. `options` are those of `kerneldoc diagnose`. What
    the program cannot do raises `KerneldocError` with its message.
    """
    logs = [path for path in paths if isinstance(path, bytes)]
    named = [os.fspath(path) for path in paths if not isinstance(path, bytes)]
    if len(logs) > 1:
        message = "only one log can be given as bytes"
        raise KerneldocError(message)
    # Bytes go in by standard input.
    words = named + ["-"] * len(logs)
    command = ["diagnose", "--quiet", "--color=never", "--format=json", *options, "--", *words]
    report: dict[str, Any] = json.loads(run(*command, given=logs[0] if logs else None))
    return report
