"""The Jupyter server extension: records how the kernels of this server live and die."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from jupyter_client.provisioning.factory import KernelProvisionerFactory
from traitlets import Bool, Float, Integer, Unicode
from traitlets.config import Configurable

from kerneldoc import places, provisioner
from kerneldoc.guard import Guard
from kerneldoc.life import KernelLife, asked_by, for_notebook
from kerneldoc.recorder import Recorder, Settings
from kerneldoc.watch import watch

# The kernels of this server that have not been forgotten, by their id.
Lives = WeakValueDictionary[str, KernelLife]


class KernelRecorder(Configurable):
    """Settings of the recorder, as `c.KernelRecorder.…` in `jupyter_server_config.py`."""

    enabled = Bool(True, help="Whether anything is recorded.").tag(config=True)
    folder = Unicode(
        "",
        help="Where records go; if empty what KERNELDOC_RECORDS_DIR names, or `kerneldoc` in Jupyter's data folder.",
    ).tag(config=True)
    sample_seconds = Float(2.0, min=0.1, help="How often the memory of kernels is read.").tag(config=True)
    max_bytes = Integer(
        16 << 20, min=1 << 16, help="A file that has grown to this is moved aside, over the one moved aside before."
    ).tag(config=True)
    keep_days = Integer(30, min=1, help="Records that are older are removed when a server starts.").tag(config=True)

    def settings(self) -> Settings:
        """The settings without traitlets."""
        folder = Path(self.folder).expanduser() if self.folder else places.folder()
        return Settings(folder, self.sample_seconds, self.max_bytes, self.keep_days)


def load(app: Any) -> None:  # noqa: ANN401  ServerApp of jupyter_server 1 or 2.
    """Begins to record, if it can; a server without a recorder is better than none."""
    guard = Guard(app.log)
    guard.run(_load, app, guard)


def _load(app: Any, guard: Guard) -> None:  # noqa: ANN401
    chosen = KernelRecorder(parent=app)
    if not chosen.enabled:
        return
    recorder = Recorder("kerneldoc.jupyter", chosen.settings(), guard)
    lives = hook_kernels(app.kernel_manager, recorder, guard)
    hook_requests(app.kernel_manager, app.session_manager, guard)
    hook_interrupts(app.kernel_manager, lives, guard)
    recorder.start()
    provisioner.server_records()
    app.log.info("kerneldoc records how kernels end in %s", recorder.path)


def hook_kernels(manager: object, recorder: Recorder, guard: Guard) -> Lives:
    """Every kernel process of a server is made by a provisioner, and every provisioner by this factory."""
    factory = KernelProvisionerFactory.instance(parent=manager)
    create = factory.create_provisioner_instance
    lives: Lives = WeakValueDictionary()

    def record(made: Any) -> None:  # noqa: ANN401
        lives[made.kernel_id] = life = KernelLife(recorder, made)
        watch(life, guard)

    @functools.wraps(create)
    def create_provisioner_instance(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        made = create(*arguments, **named)
        guard.run(record, made)
        return made

    setattr(factory, create.__name__, create_provisioner_instance)
    return lives


def hook_requests(manager: Any, sessions: Any, guard: Guard) -> None:  # noqa: ANN401
    """Tells the requests of users, the culler and the server itself apart, and kernels' notebooks."""
    for method, by in (
        ("restart_kernel", "user"),
        ("cull_kernel_if_idle", "culler"),
        ("shutdown_all", "server"),
    ):
        _during(guard, manager, method, asked_by, lambda *_arguments, _by=by, **_named: _by)
    _during(guard, sessions, "start_kernel_for_session", for_notebook, _notebook)


def hook_interrupts(manager: Any, lives: Lives, guard: Guard) -> None:  # noqa: ANN401
    """An interrupt may be a message or a signal, and a shutdown begins with one; only the request is sure."""
    interrupt = getattr(manager, "interrupt_kernel", None)
    if interrupt is None:
        return

    @functools.wraps(interrupt)
    def interrupt_kernel(kernel_id: str, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        if (life := lives.get(kernel_id)) is not None:
            guard.run(life.interrupted)
        return interrupt(kernel_id, *arguments, **named)

    manager.interrupt_kernel = interrupt_kernel


def _notebook(*arguments: Any, **named: Any) -> str | None:  # noqa: ANN401
    """The path a session is for; a console has no notebook. All may come by position or by name."""
    given = {**dict(zip(("session_id", "path", "name", "type", "kernel_name"), arguments)), **named}
    return None if given.get("type") == "console" else given.get("path")


def _during(
    guard: Guard,
    owner: Any,  # noqa: ANN401
    name: str,
    variable: ContextVar[str | None],
    value: Callable[..., str | None],
) -> None:
    """While a method runs, a context variable holds a value that its arguments give."""
    method = getattr(owner, name, None)
    if method is None:
        return

    async def finish(awaited: Any, held: str | None) -> Any:  # noqa: ANN401
        token = variable.set(held)
        try:
            return await awaited
        finally:
            variable.reset(token)

    @functools.wraps(method)
    def wrapped(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        held = guard.run(value, *arguments, **named)
        token = variable.set(held)
        try:
            result = method(*arguments, **named)
        finally:
            variable.reset(token)
        return finish(result, held) if inspect.iscoroutine(result) else result

    setattr(owner, name, wrapped)
