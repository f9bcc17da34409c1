"""Finds why the kernel before this one died: in records, the server's log and crash traces, by the program."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kerneldoc import binary, places
from kerneldoc.watch import RECORDS_VARIABLE, SESSION_VARIABLE

KERNEL_FILE = re.compile(r"kernel-(.+)\.json")
# Of the records of other servers, only the latest are looked through.
MOST_FILES = 8
# A log larger than this is left to the command line.
LARGEST_LOG = 256 << 20

Record = dict[str, Any]


@dataclass(frozen=True)
class Here:
    """Who asks: this kernel, as far as it knows itself."""

    kernel_id: str | None
    notebook: str | None
    records: Path | None

    @classmethod
    def of(cls, connection_file: str | None) -> Here:
        """From the connection file's name and what the server put into the environment."""
        named = KERNEL_FILE.fullmatch(Path(connection_file or "").name)
        records = os.environ.get(RECORDS_VARIABLE)
        return cls(named[1] if named else None, os.environ.get(SESSION_VARIABLE), Path(records) if records else None)


def last_death(here: Here) -> tuple[Record, Path] | None:
    """The last death of this kernel, else of this notebook's kernels; without a notebook, of any of this server."""
    own, others = _files(here.records)
    for wanted in (_same_kernel(here), _same_notebook(here)):
        for file in own + others:
            if found := _last(record for record in deaths(file) if wanted(record)):
                return found, file
    if here.notebook is None and own and (found := _last(deaths(own[0]))):
        return found, own[0]
    return None


def explain(death: Record, file: Path) -> dict[str, Any] | None:
    """The report on one recorded death, or nothing if the program finds none in what there is."""
    sources = [file, *_aside(file), *_logs(death, file)]
    kernel = str(death.get("kernel_id", ""))
    report = binary.diagnose(*sources, options=("--kernel", kernel) if kernel else ())
    if not report.get("deaths"):
        return None
    report["deaths"] = [_nearest(report["deaths"], death)]
    report["findings"] = []
    return report


def deaths(file: Path) -> Iterator[Record]:
    """The `kernel.died` records of a file, oldest first. A damaged line is passed over."""
    try:
        with file.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if '"kernel.died"' not in line:
                    continue
                try:
                    record = json.loads(line)
                except ValueError:
                    continue
                if isinstance(record, dict) and record.get("kind") == "kernel.died":
                    yield record
    except OSError:
        return


def _same_kernel(here: Here) -> Callable[[Record], bool]:
    # After an automatic restart the id is the same, the process is another one.
    return lambda record: here.kernel_id is not None and record.get("kernel_id") == here.kernel_id


def _same_notebook(here: Here) -> Callable[[Record], bool]:
    """Records hold the path as Jupyter knows it, the environment the whole path."""

    def same(record: Record) -> bool:
        notebook = record.get("notebook")
        return bool(here.notebook and notebook) and ("/" + str(here.notebook)).endswith("/" + str(notebook).lstrip("/"))

    return same


def _files(records: Path | None) -> tuple[list[Path], list[Path]]:
    """The record files of this server, and those of others that are or were, latest first."""
    folder = records.parent if records else places.folder()
    try:
        found = sorted(folder.glob("records-*.ndjson"), key=lambda file: file.stat().st_mtime, reverse=True)
    except OSError:
        found = []
    own = [file for file in found if file == records]
    return own, [file for file in found if file != records][:MOST_FILES]


def _aside(file: Path) -> list[Path]:
    old = file.with_name(file.name + ".old")
    return [old] if old.is_file() else []


def _logs(death: Record, file: Path) -> list[Path]:
    """The trace of the crash, and the server's log if its stderr is a file that this user may read."""
    server = re.search(r"records-(\d+)", file.name)
    stderr = Path(f"/proc/{server[1]}/fd/2") if server else None
    found = [file.with_name(f"crash-{death.get('pid')}.log")]
    try:
        if stderr is not None and stderr.is_file() and stderr.stat().st_size < LARGEST_LOG:
            found.append(stderr.resolve(strict=True))
    except OSError:
        pass
    return [log for log in found if log.is_file()]


def _nearest(reported: list[dict[str, Any]], death: Record) -> dict[str, Any]:
    """The reported death that is the recorded one: the same process, else the last."""
    same = [one for one in reported if one.get("kernel", {}).get("pid") == death.get("pid")]
    return (same or reported)[-1]


def _last(records: Iterable[Record]) -> Record | None:
    found = None
    for found in records:  # noqa: B007  The last one stays.
        pass
    return found
