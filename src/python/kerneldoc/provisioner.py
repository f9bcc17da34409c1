"""A kernel provisioner that records: for papermill, nbconvert and whatever else runs kernels without a server.

It is chosen by `JUPYTER_DEFAULT_PROVISIONER_NAME=kerneldoc-recorder`, or by a kernelspec's
`"metadata": {"kernel_provisioner": {"provisioner_name": "kerneldoc-recorder"}}`.
"""

from __future__ import annotations

import functools
import logging
import sys
from typing import Any

from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from kerneldoc import places
from kerneldoc.guard import Guard
from kerneldoc.life import KernelLife
from kerneldoc.recorder import Recorder, Settings
from kerneldoc.watch import watch

# In a server the extension has hooked every provisioner already.
_server: list[bool] = []


def server_records() -> None:
    """The server extension of this process records; provisioners need not."""
    _server.append(True)


class RecordingProvisioner(LocalProvisioner):
    """`LocalProvisioner`, with a recorder behind it."""

    def __init__(self, **named: Any) -> None:  # noqa: ANN401
        """As any provisioner."""
        super().__init__(**named)
        if not _server:
            guard = Guard(self.log)
            guard.run(self._record, guard)

    def _record(self, guard: Guard) -> None:
        watch(KernelLife(_recorder(), self, notebook=_notebook()), guard)


@functools.lru_cache(maxsize=1)
def _recorder() -> Recorder:
    """The one recorder of this process."""
    settings = Settings(places.folder())
    recorder = Recorder("kerneldoc.provisioner", settings, Guard(logging.getLogger("kerneldoc")))
    recorder.start()
    return recorder


def _notebook() -> str | None:
    """The notebook that a program like papermill was called with: its first argument that looks like one."""
    return next((word for word in sys.argv[1:] if word.endswith(".ipynb")), None)
