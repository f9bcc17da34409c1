"""What `/proc` tells of a process and its host. Linux; elsewhere psutil if it is there, else nothing."""

from __future__ import annotations

import os
import re
from pathlib import Path

from kerneldoc.record import Fields

PROC = Path("/proc")
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
# A tree of more processes than this is not walked to its end.
MOST_PROCESSES = 512
# PROC_PID_INIT_INO of Linux, the same on every host.
FIRST_NAMESPACE = Path("pid:[4026531836]")
CONTAINER = re.compile(r"[0-9a-f]{64}")


def process_memory(pid: int) -> Fields:
    """Resident memory of a process and of it with its descendants; empty when it is gone."""
    own = _resident(pid)
    if own is None:
        return _memory_elsewhere(pid)
    tree = _tree(pid)
    shares = [own, *(_resident(child) or 0 for child in tree)]
    return {"rss_bytes": own, "tree_rss_bytes": sum(shares), "process_count": len(shares)}


def memory() -> Fields:
    """What the host has, and what of it could still be used."""
    table = dict(row.split(":", 1) for row in _text(PROC / "meminfo").splitlines() if ":" in row)
    keys = {"host_available_bytes": "MemAvailable", "host_total_bytes": "MemTotal"}
    return {key: int(table[name].split()[0]) * 1024 for key, name in keys.items() if name in table}


def kills() -> Fields:
    """How many processes Linux has killed for want of memory since it booted, on the whole host."""
    found = re.search(r"^oom_kill (\d+)$", _text(PROC / "vmstat"), re.MULTILINE)
    return {"vmstat_oom_kill": int(found[1])} if found else {}


def boot_id() -> str | None:
    """The id of this boot of the host."""
    return _text(PROC / "sys/kernel/random/boot_id").strip() or None


def counts_as_the_host() -> bool:
    """Whether process ids are the host's own, as they stand in its log: this is its first pid namespace."""
    try:
        return (PROC / "self/ns/pid").readlink() == FIRST_NAMESPACE
    except OSError:
        return False


def container_id() -> str | None:
    """The container this process runs in, where its control group or its mounts name one."""
    for name in ("cgroup", "mountinfo"):
        rows = (row for row in _text(PROC / "self" / name).splitlines() if name == "cgroup" or "/containers/" in row)
        for row in rows:
            if found := CONTAINER.search(row):
                return found[0]
    return None


def _resident(pid: int) -> int | None:
    fields = _text(PROC / str(pid) / "statm").split()
    return int(fields[1]) * PAGE if len(fields) > 1 else None


def _tree(pid: int) -> list[int]:
    """The descendants of a process. `children` needs no walk over all of `/proc`."""
    found: list[int] = []
    waiting = [pid]
    while waiting and len(found) < MOST_PROCESSES:
        try:
            threads = list((PROC / str(waiting.pop()) / "task").iterdir())
        except OSError:
            continue
        children = [int(child) for thread in threads for child in _text(thread / "children").split()]
        found += children
        waiting += children
    return found


def _memory_elsewhere(pid: int) -> Fields:
    """macOS and Windows, where Jupyter brings psutil along."""
    if PROC.is_dir():
        return {}
    try:
        import psutil  # noqa: PLC0415

        process = psutil.Process(pid)
        own = process.memory_info().rss
        tree = [child.memory_info().rss for child in process.children(recursive=True)]
    except Exception:  # noqa: BLE001  psutil's errors cannot be named where it is missing.
        return {}
    return {"rss_bytes": own, "tree_rss_bytes": own + sum(tree), "process_count": 1 + len(tree)}


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
