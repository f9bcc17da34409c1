"""The first record of a file: who writes it, and where."""

from __future__ import annotations

import os
import platform
import socket
import sys
from importlib import metadata

from kerneldoc import cgroup, host, record

PACKAGES = ("jupyter_server", "jupyter_client", "ipykernel")


def introduction(program: str) -> bytes:
    """`recorder.start` of this process."""
    levels = cgroup.levels("self")
    fields: record.Fields = {
        "program": program,
        "version": version("kerneldoc"),
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "boot_id": host.boot_id(),
        "cgroup": levels[0].path if levels else None,
        "container_id": host.container_id(),
        "platform": sys.platform,
        "linux_version": platform.release() if sys.platform == "linux" else None,
        "python_version": platform.python_version(),
        **{f"{package}_version": version(package) for package in PACKAGES},
    }
    return record.line("recorder.start", record.now(), fields)


def version(package: str) -> str | None:
    """The version of an installed package."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
