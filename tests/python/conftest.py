import json
import logging

import pytest

from kerneldoc.guard import Guard
from kerneldoc.recorder import Recorder, Settings


@pytest.fixture
def guard():
    return Guard(logging.getLogger("test"))


@pytest.fixture
def recorder(tmp_path, guard):
    """A recorder of this process; `close` writes what is waiting."""
    made = Recorder("test", Settings(tmp_path), guard)
    made.start()
    yield made
    made.close()


@pytest.fixture
def written(recorder):
    """Ends the recorder and gives what it wrote, without the counters unless they are asked for."""

    def read(counters=False):
        recorder.close()
        lines = [json.loads(line) for line in recorder.path.read_text().splitlines()]
        return [line for line in lines if counters or line["kind"] != "counters"]

    return read
