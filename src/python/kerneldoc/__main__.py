"""`python -m kerneldoc`: the program."""

from __future__ import annotations

import os
import subprocess
import sys

from kerneldoc.binary import KerneldocError, binary


def main() -> int:
    """Runs the program in the place of this process; Windows has no such thing, and waits."""
    try:
        command = [binary(), *sys.argv[1:]]
    except KerneldocError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    if sys.platform != "win32":
        os.execv(command[0], command)  # noqa: S606
    return subprocess.run(command, check=False).returncode  # noqa: S603  Our own program.


if __name__ == "__main__":
    sys.exit(main())
