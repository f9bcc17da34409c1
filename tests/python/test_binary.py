"""`diagnose` and `python -m kerneldoc`, with the program that is installed beside this Python."""

import subprocess
import sys
from pathlib import Path

import pytest

import kerneldoc
from kerneldoc import binary

CASES = Path(__file__).parents[2] / "fixtures/cases"
CASE = CASES / "container-memory-limit/logs"


@pytest.fixture(autouse=True)
def _program():
    try:
        binary.binary()
    except kerneldoc.KerneldocError:
        pytest.skip("the program is not installed beside this Python")


def test_a_folder_is_diagnosed():
    report = kerneldoc.diagnose(CASE)
    assert report["schema"] == "kerneldoc.report/1"
    assert [death["cause"] for death in report["deaths"]] == ["container-memory-limit"]


def test_a_log_can_be_given_itself():
    log = (CASES / "killed-without-a-trace/logs/jupyter.log").read_bytes()
    assert [death["cause"] for death in kerneldoc.diagnose(log)["deaths"]] == ["silent-exit"]


def test_options_are_the_programs():
    assert kerneldoc.diagnose(str(CASE), options=("--kernel", "ffffffff"))["deaths"] == []


def test_a_fault_is_an_exception_with_the_programs_message():
    with pytest.raises(kerneldoc.KerneldocError, match=r"nowhere"):
        kerneldoc.diagnose("/nowhere/at/all")


def test_a_path_that_looks_like_an_option_is_a_path():
    with pytest.raises(kerneldoc.KerneldocError, match=r"--version"):
        kerneldoc.diagnose("--version")


def test_two_logs_as_bytes_are_refused():
    with pytest.raises(kerneldoc.KerneldocError, match="bytes"):
        kerneldoc.diagnose(b"a", b"b")


def test_python_m_is_the_program():
    done = subprocess.run([sys.executable, "-m", "kerneldoc", "diagnose", CASE], capture_output=True, check=False)
    assert done.returncode == 1, "a death was found"
    assert b"memory limit" in done.stdout


def test_no_program_is_said_with_help(monkeypatch):
    monkeypatch.setattr("kerneldoc.binary.sysconfig.get_path", lambda *_words: "/nowhere")
    monkeypatch.setattr("sys.exec_prefix", "/nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(kerneldoc.KerneldocError, match="help: "):
        binary.binary()
