"""Writes down how kernels live and die. It works on a thread of its own: the server never waits for a disk."""

from __future__ import annotations

import atexit
import os
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from kerneldoc import cgroup, host, record
from kerneldoc.guard import Guard
from kerneldoc.introduction import introduction
from kerneldoc.record import Fields
from kerneldoc.samples import Samples
from kerneldoc.writer import RecordFile, forget

# Jobs that may wait for the disk. A hung network home fills it, and then records are lost, not the server.
MOST_WAITING = 4096
# How long a server that ends waits for its last records.
FAREWELL_SECONDS = 2.0


@dataclass(frozen=True)
class Settings:
    """What can be chosen; the server extension offers it as traits."""

    folder: Path
    sample_seconds: float = 2.0
    max_bytes: int = 16 << 20
    keep_days: int = 30


@dataclass(eq=False)
class KernelProcess:
    """One process of a kernel, from its start to its end."""

    kernel_id: str
    kernel_name: str | None
    pid: int | None
    notebook: str | None
    samples: Samples = field(default_factory=Samples)
    levels: list[cgroup.Level] = field(default_factory=list)

    def identity(self) -> Fields:
        """What every record of it says."""
        return {"kernel_id": self.kernel_id, "pid": self.pid}


class Recorder:
    """The one recorder of this host."""

    def __init__(self, program: str, settings: Settings, guard: Guard) -> None:
        """`program` is who records: `kerneldoc.jupyter` or `kerneldoc.provisioner`."""
        self.path = settings.folder / f"records-{os.getpid()}.ndjson"
        self._program = program
        self._settings = settings
        self._guard = guard
        self._file = RecordFile(self.path, settings.max_bytes, lambda: introduction(program))
        self._jobs: queue.Queue[Callable[[], None] | None] = queue.Queue(MOST_WAITING)
        self._alive: list[KernelProcess] = []
        self._thread = threading.Thread(target=self._work, name="kerneldoc-recorder", daemon=True)

    def start(self) -> None:
        """Begins to write."""
        self._thread.start()
        self._submit(self._forget)
        atexit.register(self.close)

    def close(self) -> None:
        """Writes what is waiting, for a short while, and ends."""
        if not self._thread.is_alive():
            return
        self.write("recorder.end", program=self._program)
        self._submit(None)
        self._thread.join(FAREWELL_SECONDS)

    def write(self, kind: str, **fields: record.Value | None) -> None:
        """One record, stamped now."""
        stamped = record.now()
        self._submit(lambda: self._append(kind, stamped, fields))

    def started(self, kernel: KernelProcess, fields: Fields) -> None:
        """A kernel process runs."""
        stamped = record.now()

        def job() -> None:
            self._append("kernel.start", stamped, {**kernel.identity(), **fields})
            kernel.levels = cgroup.levels(kernel.pid or "self")
            self._count("before", kernel)
            self._alive.append(kernel)

        self._submit(job)

    def ended(self, kernel: KernelProcess, kind: str, fields: Fields) -> None:
        """A kernel process is gone: `kernel.died`, `kernel.restart` or `kernel.shutdown`."""
        stamped = record.now()

        def job() -> None:
            if kernel in self._alive:
                self._alive.remove(kernel)
            died = kind == "kernel.died"
            for taken, sample in kernel.samples.take() if died else ():
                self._append("memory.sample", taken, sample)
            self._append(kind, stamped, {**kernel.identity(), **fields})
            if died:
                self._count("died", kernel)

        self._submit(job)

    def _submit(self, job: Callable[[], None] | None) -> None:
        try:
            self._jobs.put_nowait(job)
        except queue.Full as fault:
            self._guard.tell("writing to " + str(self.path), fault)

    def _work(self) -> None:
        due = time.monotonic()
        while True:
            try:
                job = self._jobs.get(timeout=max(0.0, due - time.monotonic()))
            except queue.Empty:
                due = time.monotonic() + self._settings.sample_seconds
                self._guard.run(self._sample)
                continue
            if job is None:
                return self._file.close()
            self._guard.run(job)

    def _forget(self) -> None:
        forget(self._settings.folder, self._settings.keep_days)

    def _append(self, kind: str, stamped: str, fields: Fields) -> None:
        try:
            self._file.append(record.line(kind, stamped, fields))
        except OSError as fault:
            self._guard.tell("writing to " + str(self.path), fault)

    def _count(self, at: str, kernel: KernelProcess) -> None:
        """The counters of the kernel's groups, and of the host: their difference around a death is a proof."""
        whole = {**host.kills(), **host.memory()}
        head: Fields = {"at": at, **kernel.identity()}
        stamped = record.now()
        for level in kernel.levels:
            own = {"cgroup": level.path, "depth": level.depth, **level.counters()}
            self._append("counters", stamped, {**head, **own, **whole})
        if not kernel.levels:
            self._append("counters", stamped, {**head, **whole})

    def _sample(self) -> None:
        seconds, whole = time.monotonic(), host.memory()
        for kernel in self._alive:
            if kernel.pid is None or not (used := host.process_memory(kernel.pid)):
                continue
            stamped = record.now()
            sample = {**kernel.identity(), **used, **_group_memory(kernel), **whole}
            for taken, fields in kernel.samples.add(stamped, seconds, sample):
                self._append("memory.sample", taken, fields)


def _group_memory(kernel: KernelProcess) -> Fields:
    """What the innermost group with a limit uses of it."""
    for level in kernel.levels:
        current, limit = level.memory_use()
        if limit is not None:
            return {"cgroup_current_bytes": current, "cgroup_limit_bytes": limit}
    return {}
