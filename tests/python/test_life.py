"""What is recorded of a provisioner's life; its process is a real one."""

import asyncio
import subprocess
import sys
from types import SimpleNamespace

import pytest

from kerneldoc.life import KernelLife, asked_by
from kerneldoc.watch import RECORDS_VARIABLE, watch

WAITS = "import sys; sys.stdin.read()"


class Provisioner:
    """The part of `KernelProvisionerBase` that is watched."""

    kernel_id = "b273fb86-3077-4b45-8f28-1c6f8f6fd0c1"
    process = None

    def __init__(self, restarter=None):
        self.parent = SimpleNamespace(kernel_name="python3", _restarter=restarter, execution_state="busy")
        self.environment = None

    async def launch_kernel(self, cmd, **named):
        self.environment = named.get("env")
        self.process = subprocess.Popen(cmd, stdin=subprocess.PIPE)
        return {"ip": "127.0.0.1"}

    async def poll(self):
        return self.process.poll()

    async def shutdown_requested(self, restart=False):
        self.process.stdin.close()

    async def send_signal(self, signum):
        self.process.send_signal(signum)

    async def kill(self, restart=False):
        self.process.kill()

    async def terminate(self, restart=False):
        self.process.terminate()

    async def cleanup(self, restart=False):
        self.process.wait()
        self.process.stdin.close()


@pytest.fixture
def watched(recorder, guard):
    def make(**named):
        provisioner = Provisioner(**named)
        life = KernelLife(recorder, provisioner)
        watch(life, guard)
        return provisioner

    return make


async def launch(provisioner, code=WAITS):
    return await provisioner.launch_kernel([sys.executable, "-c", code], env={"JPY_SESSION_NAME": "/home/ada/a.ipynb"})


async def dies(provisioner, code):
    await launch(provisioner, code)
    provisioner.process.wait()
    await provisioner.poll()


def kinds(records):
    return [record["kind"] for record in records]


def test_an_end_that_nobody_asked_for_is_a_death_told_once(watched, written):
    provisioner = watched()

    async def play():
        assert await launch(provisioner, "import os; os.abort()") == {"ip": "127.0.0.1"}
        provisioner.process.wait()
        assert await provisioner.poll() == -6
        assert await provisioner.poll() == -6
        await provisioner.kill()
        await provisioner.cleanup()

    asyncio.run(play())
    records = written()
    assert kinds(records) == ["recorder.start", "kernel.start", "kernel.died", "recorder.end"]
    died = records[2]
    assert (died["signal"], died["signal_number"], died["busy"]) == ("SIGABRT", 6, True)
    assert died["gave_up"] is True, "nobody restarts it"
    assert died["kernel_id"] == Provisioner.kernel_id
    assert died["pid"] == records[1]["pid"]
    assert died["notebook"] == "/home/ada/a.ipynb"


def test_counters_stand_before_and_right_behind_a_death(watched, written):
    asyncio.run(dies(watched(), "import os; os._exit(3)"))
    records = written(counters=True)
    died = kinds(records).index("kernel.died")
    assert records[died]["exit_code"] == 3
    assert records[died + 1]["at"] == "died"
    assert records[died - 1]["at"] == "before"
    assert records[died + 1]["pid"] == records[died]["pid"]


@pytest.mark.parametrize(("restarting", "count", "attempt", "gave_up"), [(False, 4, 1, False), (True, 2, 3, False)])
def test_the_attempt_is_the_restarters(watched, written, restarting, count, attempt, gave_up):
    restarter = SimpleNamespace(_restarting=restarting, _restart_count=count, restart_limit=5)
    asyncio.run(dies(watched(restarter=restarter), ""))
    died = written()[2]
    assert (died["attempt"], died["gave_up"]) == (attempt, gave_up)


def test_the_restarter_gives_up_in_the_end(watched, written):
    restarter = SimpleNamespace(_restarting=True, _restart_count=5, restart_limit=5)
    asyncio.run(dies(watched(restarter=restarter), ""))
    died = written()[2]
    assert died["gave_up"] is True
    assert "attempt" not in died


def test_the_restarter_starts_it_anew(watched, written):
    provisioner = watched(restarter=SimpleNamespace(_restarting=False, _restart_count=0, restart_limit=5))

    async def play():
        await dies(provisioner, "")
        await provisioner.kill()
        await provisioner.cleanup(restart=True)
        await launch(provisioner)
        await provisioner.shutdown_requested()
        await provisioner.cleanup()

    asyncio.run(play())
    records = written()
    assert kinds(records)[2:6] == ["kernel.died", "kernel.restart", "kernel.start", "kernel.shutdown"]
    assert (records[3]["by"], records[4]["by"], records[4]["attempt"]) == ("restarter", "restarter", 1)
    assert records[5]["exit_code"] == 0


@pytest.mark.parametrize("end", ["shutdown_requested", "terminate", "kill"])
def test_a_shutdown_is_no_death(watched, written, end):
    provisioner = watched()

    async def play():
        await launch(provisioner)
        token = asked_by.set("culler")
        await getattr(provisioner, end)()
        provisioner.process.wait()
        await provisioner.poll()
        await provisioner.cleanup()
        asked_by.reset(token)

    asyncio.run(play())
    records = written()
    assert kinds(records) == ["recorder.start", "kernel.start", "kernel.shutdown", "recorder.end"]
    assert records[2]["by"] == "culler"


def test_a_users_restart_is_no_death(watched, written):
    provisioner = watched()

    async def play():
        await launch(provisioner)
        await provisioner.send_signal(15)
        provisioner.process.wait()
        await provisioner.poll()
        await provisioner.cleanup(restart=True)
        await launch(provisioner)

    asyncio.run(play())
    provisioner.process.kill()
    records = written()
    assert kinds(records)[1:4] == ["kernel.start", "kernel.restart", "kernel.start"]
    assert (records[2]["by"], records[3]["by"], records[3]["attempt"]) == ("user", "user", 0)


def test_the_kernel_is_told_where_the_records_are(watched, recorder):
    provisioner = watched()
    asyncio.run(dies(provisioner, ""))
    assert provisioner.environment[RECORDS_VARIABLE] == str(recorder.path)
