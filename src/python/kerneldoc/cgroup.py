"""The control groups of a process and their counters, cgroup version 1 and 2. Linux; elsewhere there are none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kerneldoc.record import Fields

# Further up than this stands nothing that limits a kernel.
DEEPEST = 16
# Version 1 writes "no limit" as the largest page-aligned number.
NO_LIMIT = 1 << 62

# Files with one number (version 2, version 1), and the key of a record. `max`, no limit, is left out.
NUMBERS = {
    "memory_current_bytes": ("memory.current", "memory.usage_in_bytes"),
    "memory_max_bytes": ("memory.max", "memory.limit_in_bytes"),
    "memory_high_bytes": ("memory.high", ""),
    "memory_peak_bytes": ("memory.peak", "memory.max_usage_in_bytes"),
    "memory_swap_current_bytes": ("memory.swap.current", ""),
    "memory_swap_max_bytes": ("memory.swap.max", ""),
    "pids_current": ("pids.current", "pids.current"),
    "pids_max": ("pids.max", "pids.max"),
}
# Files of `name number` lines, and what stands before the name in a record.
EVENTS = {
    "memory_events_": "memory.events",
    "memory_events_local_": "memory.events.local",
    "pids_events_": "pids.events",
}


@dataclass(frozen=True)
class Level:
    """One control group above a process: depth 0 is its own."""

    depth: int
    path: str
    # Version 2 has one folder; version 1 one for memory and one for pids.
    memory: Path
    pids: Path
    version: int

    def counters(self) -> Fields:
        """The figures of this group; those that cannot be read are left out."""
        read = self._events_v1() if self.version == 1 else self._events_v2()
        for key, names in NUMBERS.items():
            name = names[2 - self.version]
            folder = self.pids if key.startswith("pids") else self.memory
            if name and (number := _number(folder / name)) is not None:
                read[key] = number
        return read

    def memory_use(self) -> tuple[int | None, int | None]:
        """What is used, and the limit if there is one, in bytes."""
        current, limit = (NUMBERS[key][2 - self.version] for key in ("memory_current_bytes", "memory_max_bytes"))
        return _number(self.memory / current), _number(self.memory / limit)

    def _events_v2(self) -> Fields:
        read: Fields = {}
        for prefix, name in EVENTS.items():
            read.update({prefix + key: value for key, value in _table(self.memory / name).items()})
        return read

    def _events_v1(self) -> Fields:
        control = _table(self.memory / "memory.oom_control")
        return {
            "memory_events_oom_kill": control.get("oom_kill"),
            "memory_events_max": _number(self.memory / "memory.failcnt"),
            "pids_events_max": _table(self.pids / "pids.events").get("max"),
        }


def levels(pid: int | str, root: Path = Path("/")) -> list[Level]:
    """The groups of a process, its own first, then those above it that can be read."""
    groups = _groups(root / f"proc/{pid}/cgroup")
    mounts = _mounts(root / f"proc/{pid}/mountinfo", root)
    if "memory" in groups and "memory" in mounts:
        version, controller = 1, "memory"
    elif "" in groups and "" in mounts:
        version, controller = 2, ""
    else:
        return []
    memory = _folders(groups[controller], *mounts[controller])
    pids = memory
    if version == 1 and "pids" in groups and "pids" in mounts:
        pids = _folders(groups["pids"], *mounts["pids"])
    return [
        Level(depth, path, folder, pids[min(depth, len(pids) - 1)][1], version)
        for depth, (path, folder) in enumerate(memory)
    ]


def _folders(path: str, mounted: str, mount_point: Path) -> list[tuple[str, Path]]:
    """The folder of a group and those above it, as far as they are mounted here."""
    inside = path
    if mounted != "/":
        # A container sees its own group as the root of the mount, whatever the group's whole path is.
        inside = path[len(mounted) :] if path.startswith(mounted) else "/"
    # `/../sibling` is a group outside of this namespace.
    parts = [part for part in inside.split("/") if part and part != ".."]
    found = []
    for count in range(len(parts), -1, -1):
        folder = mount_point.joinpath(*parts[:count])
        if folder.is_dir():
            found.append(("/" + "/".join(parts[:count]), folder))
    return found[:DEEPEST] or [(path, mount_point)]


def _groups(file: Path) -> dict[str, str]:
    """`/proc/PID/cgroup`: the path for each controller; version 2 has no controller, an empty name."""
    groups = {}
    for row in _text(file).splitlines():
        _, _, rest = row.partition(":")
        controllers, _, path = rest.partition(":")
        for controller in controllers.split(","):
            groups[controller] = path
    return groups


def _mounts(file: Path, root: Path) -> dict[str, tuple[str, Path]]:
    """`/proc/PID/mountinfo`: for each controller, which group is mounted and where."""
    mounts: dict[str, tuple[str, Path]] = {}
    for row in _text(file).splitlines():
        left, _, right = row.partition(" - ")
        mount, system = left.split(), right.split()
        if len(mount) < 5 or len(system) < 3:  # noqa: PLR2004
            continue
        place = (mount[3], root / mount[4].lstrip("/"))
        if system[0] == "cgroup2":
            mounts.setdefault("", place)
        elif system[0] == "cgroup":
            for controller in system[2].split(","):
                mounts.setdefault(controller, place)
    return mounts


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _table(file: Path) -> dict[str, int]:
    """A file of `name number` lines."""
    rows = (row.split() for row in _text(file).splitlines())
    return {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit()}  # noqa: PLR2004


def _number(file: Path) -> int | None:
    text = _text(file).strip()
    if not text.isdigit():
        return None
    number = int(text)
    return number if number < NO_LIMIT else None
