"""`%load_ext kerneldoc`: shows in a notebook, or in a terminal, why the previous kernel died."""

from __future__ import annotations

import html
import json
import os
import sys
from typing import Any

from kerneldoc import crash_trace, previous
from kerneldoc.binary import KerneldocError, run
from kerneldoc.watch import RECORDS_VARIABLE

NOTHING = "kerneldoc: no record of a kernel of this notebook that died."
NO_RECORDS = (
    "kerneldoc: this kernel's server records nothing, so there is nothing to tell of the previous kernel. "
    "Install kerneldoc where the server runs, and start it again."
)
FRAME = '<iframe srcdoc="{page}" sandbox style="width:100%;height:32em;border:0" title="kerneldoc"></iframe>'


def load(shell: Any) -> None:  # noqa: ANN401  IPython's shell.
    """Shows the diagnosis now, and traces the next crash. In a start-up file it waits for the first cell."""
    _trace()
    if _starting(shell):
        shell.events.register("post_run_cell", _Once(shell))
    else:
        show(shell)


def show(shell: Any) -> None:  # noqa: ANN401
    """Says why the previous kernel died, or that there is nothing to say."""
    try:
        said = diagnosis(_connection_file(shell))
    except (KerneldocError, OSError) as error:
        said = {"text/plain": f"kerneldoc: {error}"}
    if hasattr(shell, "kernel"):
        from IPython.display import display  # noqa: PLC0415  Only where IPython is.

        display({**said, "text/plain": said["text/plain"]}, raw=True)  # type: ignore[no-untyped-call]
    else:
        sys.stdout.write(said["text/plain"] + "\n")


def diagnosis(connection_file: str | None) -> dict[str, str]:
    """The diagnosis as text, and as a page where there is one, by MIME type."""
    here = previous.Here.of(connection_file)
    found = previous.last_death(here)
    if found is None:
        return {"text/plain": NOTHING if here.records else NO_RECORDS}
    report = previous.explain(*found)
    if report is None:
        return {"text/plain": NOTHING}
    given = json.dumps(report).encode()
    text = run("convert", "-", "--to", "text", "--color=never", given=given).decode()
    page = run("convert", "-", "--to", "html", given=given).decode()
    return {"text/plain": text, "text/html": FRAME.format(page=html.escape(page, quote=True))}


class _Once:
    """Shows a death after the first cell, and never again; a kernel without a predecessor stays silent."""

    def __init__(self, shell: Any) -> None:  # noqa: ANN401
        self._shell = shell

    def __call__(self, *_result: object) -> None:
        self._shell.events.unregister("post_run_cell", self)
        here = previous.Here.of(_connection_file(self._shell))
        if previous.last_death(here) is not None:
            show(self._shell)


def _starting(shell: Any) -> bool:  # noqa: ANN401
    """No cell is running yet: a start-up file, or a configuration that names the extension."""
    kernel = getattr(shell, "kernel", None)
    return kernel is not None and not (getattr(shell, "parent_header", None) or {})


def _connection_file(shell: Any) -> str | None:  # noqa: ANN401
    application = getattr(getattr(shell, "kernel", None), "parent", None)
    name = getattr(application, "connection_file", None)
    return str(name) if name else None


def _trace() -> None:
    """A crash to come is traced, where a server records and nobody has chosen otherwise."""
    import faulthandler  # noqa: PLC0415

    if os.environ.get(RECORDS_VARIABLE) and not faulthandler.is_enabled():
        try:
            crash_trace.enable()
        except (OSError, ValueError):
            # A full or read-only disk; a diagnosis can be shown all the same.
            return
