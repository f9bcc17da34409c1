"""A recorder that fails in every way, in a provisioner that must not notice."""

import asyncio
import logging
import subprocess
import sys

from test_life import Provisioner, launch

from kerneldoc.guard import Guard
from kerneldoc.life import KernelLife
from kerneldoc.recorder import Recorder, Settings
from kerneldoc.watch import watch


def test_a_fault_is_logged_once_and_goes_no_further(caplog):
    guard = Guard(logging.getLogger("server"))

    def hook():
        message = "broken"
        raise RuntimeError(message)

    assert [guard.run(hook) for _ in range(3)] == [None, None, None]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "broken" in caplog.text


def test_every_hook_may_fail(caplog):
    class Broken:
        """A life in which nothing works."""

        def __getattr__(self, name):
            message = f"no {name}"
            raise RuntimeError(message)

    provisioner = Provisioner()
    life = KernelLife(Broken(), provisioner)
    watch(life, Guard(logging.getLogger("server")))

    async def play():
        await launch(provisioner)
        assert await provisioner.poll() is None
        await provisioner.kill()
        provisioner.process.wait()
        assert await provisioner.poll() == -9
        await provisioner.cleanup()

    asyncio.run(play())
    assert len(caplog.records) == len({record.getMessage() for record in caplog.records}) > 0


def test_a_disk_that_takes_nothing_is_told_once_and_costs_nothing(tmp_path, caplog):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    recorder = Recorder("test", Settings(blocked / "kerneldoc"), Guard(logging.getLogger("server")))
    recorder.start()
    for _ in range(5):
        recorder.write("note", text="lost")
    recorder.close()
    assert len([record for record in caplog.records if "writing to" in record.getMessage()]) == 1


def test_a_disk_that_hangs_loses_records_and_not_the_server(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr("kerneldoc.recorder.MOST_WAITING", 8)
    recorder = Recorder("test", Settings(tmp_path), Guard(logging.getLogger("server")))
    # The thread was never started: nothing takes the jobs away, as when a write hangs.
    for _ in range(50):
        recorder.write("note", text="waiting")
    assert "Full" in caplog.text
    recorder.close()


def test_the_package_needs_no_jupyter_to_be_imported():
    foreign = "name.startswith(('jupyter', 'traitlets', 'IPython'))"
    code = f"import sys, kerneldoc; sys.exit(any({foreign} for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
