"""The format `record/1`: one JSON object a line. `docs/recorder.md` describes it."""

from __future__ import annotations

import json
import signal
from datetime import datetime, timezone
from typing import Union

Value = Union[str, int, float, bool]
Fields = dict[str, Union[Value, None]]

FORMAT = "record/1"
# A line is read whole; a reader may give up on longer ones.
LONGEST_LINE = 64 * 1024


def now() -> str:
    """The time as records hold it: UTC, RFC 3339, milliseconds."""
    return stamp(datetime.now(timezone.utc))


def stamp(moment: datetime) -> str:
    """A moment as records hold it."""
    text = moment.astimezone(timezone.utc).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def line(kind: str, time: str, fields: Fields) -> bytes:
    """One record, with its newline. What is not known is left out; a record too long for a line becomes a note."""
    known = {key: value for key, value in fields.items() if value is not None and value != ""}
    head = {"kerneldoc": FORMAT, "time": time}
    text = json.dumps({**head, "kind": kind, **known}, ensure_ascii=False, separators=(",", ":"))
    # A path may hold what is no UTF-8; it must not cost the record.
    data = text.encode("utf-8", "replace") + b"\n"
    if len(data) < LONGEST_LINE:
        return data
    note = f"a {kind} record of {len(data)} bytes was too long to be written"
    return json.dumps({**head, "kind": "note", "text": note}).encode() + b"\n"


def ending(returncode: int | None) -> Fields:
    """How a process ended, from a return code of `subprocess`: `-9` is a signal, `3` an exit code."""
    if returncode is None:
        return {}
    if returncode >= 0:
        return {"exit_code": returncode}
    return {"signal": signal_name(-returncode), "signal_number": -returncode}


def signal_name(number: int) -> str:
    """`SIGKILL` of 9; `SIG40` where Python has no name for it."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"
