"""One kernel as its provisioner sees it: launched, polled, asked to go, cleaned up. The class does not matter.

jupyter_client (7 and later) asks a provisioner for everything it does to a kernel's process, in servers and without.
So its methods are where an exit status is seen that nobody logs.
"""

from __future__ import annotations

import time
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from kerneldoc import host, record
from kerneldoc.record import Fields
from kerneldoc.recorder import KernelProcess, Recorder

# Who asked for what happens now, where a hook knows better than "a user".
asked_by: ContextVar[str | None] = ContextVar("asked_by", default=None)
# The notebook a kernel is being started for.
for_notebook: ContextVar[str | None] = ContextVar("for_notebook", default=None)

State = Literal["new", "running", "asked", "died", "gone"]


@dataclass
class KernelLife:
    """What is known of one kernel id over all its processes."""

    recorder: Recorder
    # The provisioner and its kernel manager are of whatever class the installation has.
    provisioner: Any
    notebook: str | None = None
    _state: State = "new"
    _returncode: int | None = None
    _popen: Any = None
    _process: KernelProcess | None = None
    _since: float = field(default_factory=time.monotonic)
    _attempt: int = 0

    def launched(self) -> None:
        """A process was started."""
        by_restarter = self._state == "died" and asked_by.get() is None
        self._popen = getattr(self.provisioner, "process", None)
        self._returncode, self._state, self._since = None, "running", time.monotonic()
        self._process = KernelProcess(
            kernel_id=self.provisioner.kernel_id,
            kernel_name=getattr(self._manager(), "kernel_name", None),
            pid=getattr(self._popen, "pid", None) or getattr(self.provisioner, "pid", None),
            notebook=self.notebook,
        )
        fields = {**self._names(), "attempt": self._attempt if by_restarter else 0}
        self.recorder.started(self._process, {**fields, "by": "restarter" if by_restarter else "user"})

    def polled(self, returncode: int | None) -> None:
        """Somebody looked whether it lives; a return code that nobody asked for is a death."""
        if returncode is None or self._process is None:
            return
        self._returncode = returncode
        if self._state != "running":
            return
        self._state = "died"
        self._attempt, gave_up = self._restart()
        manager = self._manager()
        activity = getattr(manager, "last_activity", None)
        fields = {
            **self._names(),
            "host_pid": self._process.pid if host.counts_as_the_host() else None,
            **record.ending(returncode),
            "attempt": self._attempt or None,
            "gave_up": gave_up,
            "uptime_seconds": round(time.monotonic() - self._since, 1),
            "busy": getattr(manager, "execution_state", None) == "busy",
            "last_activity": record.stamp(activity) if isinstance(activity, datetime) else None,
        }
        self.recorder.ended(self._process, "kernel.died", fields)

    def asked(self) -> None:
        """Somebody wants it to end: by a message, or by a signal that ends processes."""
        if self._state == "running":
            self._state = "asked"

    def cleaned_up(self, restart: bool) -> None:
        """Its process is gone, and perhaps another one follows."""
        if self._process is None or self._state in ("new", "gone"):
            return
        died = self._state == "died"
        by = asked_by.get() or ("restarter" if died and restart else "user")
        if restart:
            self.recorder.ended(self._process, "kernel.restart", {"by": by, "notebook": self.notebook})
            return
        self._state = "gone"
        if died:
            # It had ended by itself, which was told already.
            return
        code = self._returncode if self._returncode is not None else getattr(self._popen, "returncode", None)
        fields = {"by": by, **record.ending(code), "notebook": self.notebook}
        self.recorder.ended(self._process, "kernel.shutdown", fields)

    def interrupted(self) -> None:
        """Somebody interrupted it."""
        if self._process is not None:
            self.recorder.write("kernel.interrupt", **self._process.identity(), by=asked_by.get() or "user")

    def _manager(self) -> object:
        return getattr(self.provisioner, "parent", None)

    def _names(self) -> Fields:
        assert self._process is not None  # noqa: S101  Only called of a process.
        return {"kernel_name": self._process.kernel_name, "notebook": self.notebook}

    def _restart(self) -> tuple[int, bool]:
        """Which restart follows a death, and whether none does. Only the restarter knows, and only in private."""
        restarter = getattr(self._manager(), "_restarter", None)
        if restarter is None:
            return 0, True
        before = getattr(restarter, "_restart_count", 0) if getattr(restarter, "_restarting", False) else 0
        gave_up = before + 1 > getattr(restarter, "restart_limit", 5)
        return (0 if gave_up else before + 1), gave_up
