"""kerneldoc tells why a Jupyter kernel died, from whatever logs are left.

`diagnose` calls the program; `%load_ext kerneldoc` shows in a notebook why its previous kernel died; installed beside
a Jupyter server, the package records how kernels end.
"""

from __future__ import annotations

from typing import Any

from kerneldoc.binary import KerneldocError, diagnose

__all__ = ["KerneldocError", "diagnose"]


def load_ipython_extension(shell: Any) -> None:  # noqa: ANN401  IPython calls it with its shell.
    """`%load_ext kerneldoc`."""
    from kerneldoc import banner  # noqa: PLC0415  Only where IPython is.

    banner.load(shell)


def __getattr__(name: str) -> str:
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415  Costs more than the rest of the import.

        return version("kerneldoc")
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "kerneldoc"}]


def _load_jupyter_server_extension(app: Any) -> None:  # noqa: ANN401  jupyter_server calls it with its application.
    from kerneldoc import jupyter  # noqa: PLC0415  Only where a server is.

    jupyter.load(app)
