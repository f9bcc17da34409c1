"""Where records are kept."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER_VARIABLE = "KERNELDOC_RECORDS_DIR"


def folder() -> Path:
    """The folder named by `KERNELDOC_RECORDS_DIR`, else `kerneldoc` in Jupyter's data folder.

    Not the runtime folder: where homes outlive containers, the records of a container's last minute must too.
    """
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    try:
        from jupyter_core.paths import jupyter_data_dir  # noqa: PLC0415  Only where Jupyter is.

        return Path(jupyter_data_dir()) / "kerneldoc"
    except ImportError:
        return Path.home() / ".local/share/jupyter/kerneldoc"
