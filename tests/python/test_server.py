"""The recorder in a real server: it records, it may fail in every way, and the next kernel shows the last death."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

pytest.importorskip("jupyter_server")
from jupyter_client import BlockingKernelClient

TOKEN = "secret"
PATIENCE = 90


class Server:
    """A Jupyter server of its own home, and a kernel of it."""

    def __init__(self, home, *arguments, **environment):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        self.runtime, self.log = home / "runtime", home / "jupyter.log"
        own = {"HOME": home, "JUPYTER_RUNTIME_DIR": self.runtime, "JUPYTER_TOKEN": TOKEN}
        command = [sys.executable, "-m", "jupyter_server", "--allow-root", "--ip=127.0.0.1", f"--port={self.port}"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, "--no-browser", *arguments],
                cwd=home,
                env={**os.environ, **own, **environment},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        until(self.answers, "the server answers")
        body = {"path": "train.ipynb", "name": "train.ipynb", "type": "notebook", "kernel": {"name": "python3"}}
        self.kernel = self.call("POST", "/api/sessions", body)["kernel"]["id"]

    def answers(self):
        try:
            return self.call("GET", "/api/status")
        except OSError:
            return False

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": "token " + TOKEN},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text else {}

    def run(self, code):
        """Runs a cell and gives what it displayed."""
        client = BlockingKernelClient(connection_file=str(self.runtime / f"kernel-{self.kernel}.json"))
        client.load_connection_file()
        # Clients of jupyter_client 7 take a slow start for a death by the missing heartbeat.
        client.start_channels(hb=False)
        shown = []
        try:
            client.wait_for_ready(timeout=PATIENCE)
            client.execute_interactive(code, timeout=PATIENCE, output_hook=shown.append)
        finally:
            client.stop_channels()
        return [message["content"] for message in shown if message["msg_type"] in ("display_data", "stream", "error")]

    def kill_kernel(self):
        before = self.log.read_text().count("restarting kernel")
        (said,) = self.run("import os; print(os.getpid())")
        os.kill(int(said["text"]), signal.SIGKILL)
        until(lambda: self.log.read_text().count("restarting kernel") > before, "the kernel is restarted")

    def close(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.2)
    raise TimeoutError(what)


@pytest.fixture
def server(tmp_path):
    opened = []

    def open_server(*arguments, **environment):
        opened.append(Server(tmp_path, *arguments, **environment))
        return opened[-1]

    yield open_server
    for one in opened:
        one.close()


def records(folder):
    return [json.loads(line) for file in folder.glob("records-*.ndjson") for line in file.read_text().splitlines()]


def test_a_life_is_recorded_to_the_servers_end_and_shown_in_the_next_kernel(server, tmp_path):
    folder = tmp_path / "kept"
    running = server(f"--KernelRecorder.folder={folder}")
    (said,) = running.run("%load_ext kerneldoc")
    assert "no record" in said["data"]["text/plain"]
    running.kill_kernel()
    (said,) = running.run("%load_ext kerneldoc")
    assert "SIGKILL" in said["data"]["text/plain"]
    assert "train.ipynb" in said["data"]["text/plain"]
    assert said["data"]["text/html"].startswith("<iframe srcdoc=")
    running.close()
    kinds = [record["kind"] for record in records(folder) if record["kind"] not in ("counters", "memory.sample")]
    assert kinds == [
        "recorder.start",
        "kernel.start",
        "kernel.died",
        "kernel.restart",
        "kernel.start",
        "kernel.shutdown",
        "recorder.end",
    ]
    assert next(record["by"] for record in records(folder) if record["kind"] == "kernel.shutdown") == "server"


def test_a_server_whose_records_cannot_be_written_runs_on(server, tmp_path):
    (tmp_path / "file").write_text("no folder")
    running = server(KERNELDOC_RECORDS_DIR=str(tmp_path / "file/kerneldoc"))
    running.kill_kernel()
    (said,) = running.run("print('alive')")
    assert said["text"] == "alive\n"
    log = running.log.read_text()
    assert log.count("kerneldoc's recorder: writing to") == 1
    # What the server logs as an error; a kernel that is interrupted while it starts prints a traceback of its own.
    assert not re.search(r"^\[E ", log, re.MULTILINE)


def test_a_recorder_that_is_broken_leaves_the_server_alone(server, tmp_path):
    broken = tmp_path / "site"
    broken.mkdir()
    # Python runs this at its start: every hook of the recorder fails from the beginning.
    (broken / "sitecustomize.py").write_text(
        "import kerneldoc.life as life\n"
        "def breaking(name):\n"
        "    def broken(*_arguments): raise RuntimeError('broken on purpose')\n"
        "    broken.__qualname__ = name\n"
        "    setattr(life.KernelLife, name, broken)\n"
        "for name in ('launched', 'polled', 'asked', 'cleaned_up', 'interrupted'): breaking(name)\n"
    )
    paths = [str(broken), *([os.environ["PYTHONPATH"]] if "PYTHONPATH" in os.environ else [])]
    running = server(PYTHONPATH=os.pathsep.join(paths), KERNELDOC_RECORDS_DIR=str(tmp_path / "kept"))
    running.kill_kernel()
    running.call("POST", f"/api/kernels/{running.kernel}/interrupt", {})
    running.call("POST", f"/api/kernels/{running.kernel}/restart", {})
    (said,) = running.run("print('alive')")
    assert said["text"] == "alive\n"
    running.call("DELETE", f"/api/kernels/{running.kernel}")
    log = running.log.read_text()
    for name in ("launched", "polled", "asked", "cleaned_up"):
        assert log.count(f"recorder: {name} failed") == 1
    # What the server logs as an error; a kernel that is interrupted while it starts prints a traceback of its own.
    assert not re.search(r"^\[E ", log, re.MULTILINE)


def test_papermill_records_without_a_server(tmp_path):
    pytest.importorskip("papermill")
    cell = {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": []}
    notebook = {
        "cells": [{**cell, "source": "import os; os._exit(3)"}],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (tmp_path / "dies.ipynb").write_text(json.dumps(notebook))
    chosen = {"JUPYTER_DEFAULT_PROVISIONER_NAME": "kerneldoc-recorder", "KERNELDOC_RECORDS_DIR": str(tmp_path / "kept")}
    command = [sys.executable, "-m", "papermill", "dies.ipynb", "out.ipynb", "--no-progress-bar"]
    done = subprocess.run(command, cwd=tmp_path, env={**os.environ, **chosen}, capture_output=True, check=False)
    assert done.returncode == 138
    (died,) = [record for record in records(Path(chosen["KERNELDOC_RECORDS_DIR"])) if record["kind"] == "kernel.died"]
    assert (died["exit_code"], died["notebook"]) == (3, "dies.ipynb")
