import os
import subprocess
import sys

import pytest

from kerneldoc import host

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@LINUX
def test_the_memory_of_a_process_counts_its_descendants():
    holds = "x = bytearray(50_000_000); print(); input()"
    child = subprocess.Popen([sys.executable, "-c", holds], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdout.readline()
    used = host.process_memory(os.getpid())
    child.communicate(b"\n")
    assert used["process_count"] >= 2
    assert used["tree_rss_bytes"] >= used["rss_bytes"] + 50_000_000


@LINUX
def test_a_process_that_is_gone_has_no_memory():
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert host.process_memory(gone.pid) == {}


@LINUX
def test_the_host_has_memory():
    memory = host.memory()
    assert 0 < memory["host_available_bytes"] <= memory["host_total_bytes"]
