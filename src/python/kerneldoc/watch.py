"""Puts a `KernelLife` behind the methods of a provisioner. The methods do what they did, whatever the recorder does."""

from __future__ import annotations

import functools
import signal
from collections.abc import Awaitable, Callable
from typing import Any

from kerneldoc.guard import Guard
from kerneldoc.life import KernelLife, for_notebook

Method = Callable[..., Awaitable[Any]]
# Signals that end a process which does nothing about them; an interrupt does not count.
FATAL = {signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM), getattr(signal, "SIGHUP", signal.SIGTERM)}
# Where the kernel finds the records of its predecessors.
RECORDS_VARIABLE = "KERNELDOC_RECORDS"
# jupyter_server 2 tells a kernel its notebook by this.
SESSION_VARIABLE = "JPY_SESSION_NAME"


def watch(life: KernelLife, guard: Guard) -> None:
    """From now on, what happens to the provisioner's kernel is recorded."""
    provisioner = life.provisioner

    def launching(environment: dict[str, str] | None) -> None:
        session = (environment or {}).get(SESSION_VARIABLE)
        life.notebook = life.notebook or for_notebook.get() or session
        if environment is not None:
            environment[RECORDS_VARIABLE] = str(life.recorder.path)

    def replace(name: str, wrapped: Callable[[Method], Method]) -> None:
        method = getattr(provisioner, name)
        setattr(provisioner, name, functools.wraps(method)(wrapped(method)))

    def launch(method: Method) -> Method:
        async def launch_kernel(cmd: list[str], **named: Any) -> Any:  # noqa: ANN401
            guard.run(launching, named.get("env"))
            result = await method(cmd, **named)
            guard.run(life.launched)
            return result

        return launch_kernel

    def poll(method: Method) -> Method:
        async def poll() -> Any:  # noqa: ANN401
            returncode = await method()
            guard.run(life.polled, returncode)
            return returncode

        return poll

    def ask(method: Method) -> Method:
        async def asked(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
            guard.run(life.asked)
            return await method(*arguments, **named)

        return asked

    def send(method: Method) -> Method:
        async def send_signal(signum: int) -> Any:  # noqa: ANN401
            if signum in FATAL:
                guard.run(life.asked)
            return await method(signum)

        return send_signal

    def clean_up(method: Method) -> Method:
        async def cleanup(restart: bool = False) -> Any:  # noqa: ANN401
            result = await method(restart=restart)
            guard.run(life.cleaned_up, restart)
            return result

        return cleanup

    replace("launch_kernel", launch)
    replace("poll", poll)
    for name in ("shutdown_requested", "terminate", "kill"):
        replace(name, ask)
    replace("send_signal", send)
    replace("cleanup", clean_up)
