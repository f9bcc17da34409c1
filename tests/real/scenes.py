"""Let real kernels die: scenes.py VENV OUT [SCENE...]. See README.md beside this file."""

import importlib.util
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
import urllib.request
import uuid

import websocket

VENV = pathlib.Path(sys.argv[1]).absolute()
OUT = pathlib.Path(sys.argv[2]).absolute()
TOKEN = uuid.uuid4().hex
# Where kerneldoc's wheel is installed, servers record how kernels end; without a server one variable chooses the recorder.
RECORDER = {"JUPYTER_DEFAULT_PROVISIONER_NAME": "kerneldoc-recorder"} if importlib.util.find_spec("kerneldoc") else {}


class CannotPlay(Exception):
    """This machine does not allow the scene."""


def environment(home, **more):
    """What a program of the scene sees: its own home, and nothing of the person who runs the test."""
    path = f"{VENV}/bin:/usr/local/bin:/usr/bin:/bin"
    return {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", "JUPYTER_TOKEN": TOKEN, **RECORDER, **more}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Server:
    """A Jupyter server with its log, and one kernel of it."""

    def __init__(self, scene, *arguments, limit=None, script=False):
        self.work, self.path = scene.work, scene.logs / "jupyter.log"
        self.port = free_port()
        command = [str(VENV / "bin/jupyter"), "lab", "--no-browser", "--allow-root", "--ip=127.0.0.1"]
        command += [f"--port={self.port}", "--ServerApp.port_retries=0", *arguments]
        if script:
            # As people start it for the night: a shell stays behind that tells how the server ended.
            (self.work / "start.sh").write_text(shlex.join(command) + "\n")
            command = ["bash", "start.sh"]
        self.log = open(self.path, "wb")
        self.process = subprocess.Popen(command, cwd=self.work, env=environment(self.work), stdout=self.log,
                                        stderr=subprocess.STDOUT, preexec_fn=limit, start_new_session=True)
        scene.closing.append(self.close)
        self.until(self.answers, 90, "the server answers")

    def until(self, condition, seconds, what):
        """Waits for something to become true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.2)
        raise TimeoutError(f"waited {seconds} s in vain until {what}")

    def logged(self, text, seconds=90):
        """Waits for a line of the log."""
        self.until(lambda: text in self.path.read_text(errors="replace"), seconds, f"the server logs {text!r}")

    def answers(self):
        try:
            self.call("GET", "/api/status")
            return True
        except OSError:
            return False

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": "token " + TOKEN, "Content-Type": "application/json"}
        url = f"http://127.0.0.1:{self.port}{path}"
        request = urllib.request.Request(url, method=method, data=data, headers=headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def start_kernel(self, name="python3"):
        """Starts a kernel as a browser does that opens a notebook."""
        body = {"path": "train.ipynb", "name": "train.ipynb", "type": "notebook", "kernel": {"name": name}}
        self.kernel = self.call("POST", "/api/sessions", body)["kernel"]["id"]

    def connect(self):
        session = uuid.uuid4().hex
        url = f"ws://127.0.0.1:{self.port}/api/kernels/{self.kernel}/channels?session_id={session}&token={TOKEN}"
        # The server answers when the kernel does; a busy machine takes its time.
        self.session, self.socket = session, websocket.create_connection(url, timeout=90)
        self.socket.settimeout(1)

    def run(self, code, seconds=90):
        """Runs a cell until it is done or its kernel is gone."""
        header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "username": "ada",
                  "session": self.session, "version": "5.3", "date": ""}
        content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False}
        self.socket.send(json.dumps({"header": header, "parent_header": {}, "metadata": {}, "channel": "shell",
                                     "content": content}))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                message = json.loads(self.socket.recv())
            except websocket.WebSocketTimeoutException:
                continue
            except Exception:  # The server itself is gone.
                return
            state = message["content"].get("execution_state")
            mine = message["parent_header"].get("msg_id") == header["msg_id"]
            if state in ("restarting", "autorestarting", "dead") or (mine and state == "idle"):
                return

    def close(self):
        """Ends the server without letting it say goodbye, so that the log holds only the scene."""
        kernels = children(self.process.pid)
        for process in (self.process.pid, *kernels):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        self.log.close()


def children(parent):
    """The processes that a process started, the only ones besides it that a scene may end."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True)
    return [int(word) for word in listed.stdout.split()]


class Scene:
    """One scene's folder: `logs/` for the user, `work/` for the programs."""

    def __init__(self, name):
        self.folder = OUT / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.logs, self.work = self.folder / "logs", self.folder / "work"
        self.logs.mkdir(parents=True)
        self.work.mkdir()
        self.closing = []

    def play(self, act):
        truth = {"skipped": None, "failed": None}
        try:
            truth["ended_by"] = act(self)
        except CannotPlay as reason:
            truth["skipped"] = str(reason)
        except Exception:
            truth["failed"] = traceback.format_exc()
        for close in reversed(self.closing):
            close()
        for record in (self.work / ".local/share/jupyter/kerneldoc").glob("*"):
            shutil.copy(record, self.logs)
        shutil.rmtree(self.work, ignore_errors=True)
        (self.folder / "truth.json").write_text(json.dumps(truth))

    def record_dmesg(self):
        """From now until the end, what Linux logs is kept too, where this user may read it."""
        since = float(pathlib.Path("/proc/uptime").read_text().split()[0])
        self.closing.append(lambda: self.keep_dmesg(since))

    def keep_dmesg(self, since):
        shown = subprocess.run(["dmesg"], capture_output=True, text=True, errors="replace")
        if shown.returncode != 0:
            return
        stamp = re.compile(r"\[ *(\d+\.\d+)\]")
        lines = [line for line in shown.stdout.splitlines(keepends=True)
                 if (found := stamp.match(line)) and float(found[1]) >= since]
        if lines:
            (self.logs / "dmesg.log").write_text("".join(lines))


# ---------------------------------------------------------------- kernels of a server


def dies(code, ended_by, dmesg=False):
    """A kernel that ends in its third cell."""

    def act(scene):
        if dmesg:
            scene.record_dmesg()
        server = Server(scene)
        server.start_kernel()
        server.connect()
        server.run("1 + 1")
        server.run("import math; math.pi")
        server.run(code)
        server.logged("restarting kernel")
        # The companion line, and what Linux still has to say.
        time.sleep(2)
        return ended_by

    return act


SEGFAULT = "import ctypes; ctypes.string_at(0)"
# Deep recursion through C; a small stack, so that every Python overflows it.
OVERFLOW = """
import resource, sys
resource.setrlimit(resource.RLIMIT_STACK, (256 * 1024, -1))
sys.setrecursionlimit(100_000)
class Deep:
    def __getattr__(self, name):
        return getattr(self, name + "x")
Deep().x
"""
FILL = "rows = []\nwhile True: rows.append(bytearray(10**7))"


def memory_limit(scene):
    """The server in a cgroup that is too small for what the cell wants."""
    group, limit = memory_group(400 * 1024 * 1024)
    scene.closing.append(lambda: remove_group(group))
    scene.record_dmesg()
    server = Server(scene, limit=limit)
    server.start_kernel()
    server.connect()
    server.run("1 + 1")
    server.run(FILL)
    server.logged("restarting kernel")
    time.sleep(2)
    return "a cgroup's memory limit"


def memory_group(size):
    """A cgroup of its own with a memory limit, and what puts a process there; version 1 or 2, where root may."""
    root = pathlib.Path("/sys/fs/cgroup")
    first = root / "memory"
    group = (first if first.is_dir() else root) / f"kerneldoc-{os.getpid()}"
    try:
        group.mkdir()
        name = "memory.limit_in_bytes" if first.is_dir() else "memory.max"
        (group / name).write_text(str(size))
    except OSError as error:
        if group.is_dir():
            group.rmdir()
        raise CannotPlay(f"no cgroup with a memory limit can be made here ({error})") from error
    for name in ("memory.memsw.limit_in_bytes", "memory.swap.max"):
        if (group / name).exists():
            (group / name).write_text(str(size) if "memsw" in name else "0")
    return group, lambda: (group / "cgroup.procs").write_text(str(os.getpid()))


def remove_group(group):
    for _ in range(50):
        try:
            return group.rmdir()
        except OSError:
            time.sleep(0.1)


def bad_startup_file(scene):
    """A start-up file of IPython that ends every kernel."""
    folder = scene.work / ".ipython/profile_default/startup"
    folder.mkdir(parents=True)
    (folder / "00-site.py").write_text("import os\nos._exit(1)\n")
    server = Server(scene)
    server.start_kernel()
    server.logged("removing from map")
    return "a start-up file that leaves"


def recorded_crash(scene):
    """What rule kernel/silent-exit advises for the next crash, done before this one."""
    folder = scene.work / ".ipython/profile_default/startup"
    folder.mkdir(parents=True)
    rule = pathlib.Path(__file__).parents[2] / "rules/kernel/silent-exit.toml"
    advice = re.search(r'echo "(import faulthandler.*?)" >', rule.read_text())
    (folder / "00-crash-trace.py").write_text(advice[1] + "\n")
    ended_by = dies(SEGFAULT, "SIGSEGV, with Python's fault handler on")(scene)
    shutil.copy(scene.work / "kernel-crash.log", scene.logs)
    return ended_by


def missing_ipykernel(scene):
    """A kernelspec whose Python cannot see ipykernel; -S hides site-packages."""
    folder = scene.work / ".local/share/jupyter/kernels/bare"
    folder.mkdir(parents=True)
    argv = [str(VENV / "bin/python"), "-S", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (folder / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "Bare", "language": "python"}))
    server = Server(scene)
    server.start_kernel("bare")
    server.logged("removing from map")
    return "a Python without ipykernel"


def output_flood(scene):
    # A tenth of the usual limit, so that a slow machine reaches it too.
    server = Server(scene, "--ZMQChannelsWebsocketConnection.iopub_msg_rate_limit=100")
    server.start_kernel()
    server.connect()
    server.run("for i in range(30000): print(i, flush=True)")
    server.logged("rate exceeded")
    return "more output than the server passes on"


def culling(scene):
    options = ["--MappingKernelManager.cull_idle_timeout=3", "--MappingKernelManager.cull_interval=2"]
    server = Server(scene, *options)
    server.start_kernel()
    server.connect()
    server.run("1 + 1")
    server.socket.close()
    server.logged("Culling")
    server.logged("Kernel shutdown")
    return "the server's culler"


def restart_by_user(scene):
    server = Server(scene)
    server.start_kernel()
    server.connect()
    server.run("1 + 1")
    server.call("POST", f"/api/kernels/{server.kernel}/interrupt", {})
    server.call("POST", f"/api/kernels/{server.kernel}/restart", {})
    server.logged("Kernel restarted")
    server.call("DELETE", f"/api/kernels/{server.kernel}")
    server.logged("Kernel shutdown")
    return "its user"


# ---------------------------------------------------------------- kernels that `kerneldoc run` records

KERNELDOC = os.environ.get("KERNELDOC")


def recorded_server(scene):
    """A server whose kernel is started through `kerneldoc run`; what it records is among the logs."""
    if not KERNELDOC:
        raise CannotPlay("KERNELDOC names no kerneldoc")
    folder = scene.work / ".local/share/jupyter/kernels/recorded"
    folder.mkdir(parents=True)
    argv = [KERNELDOC, "run", "--", str(VENV / "bin/python"), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (folder / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "Recorded", "language": "python"}))
    server = Server(scene)
    scene.closing.append(lambda: [shutil.copy(record, scene.logs / f"{record.parent.name}.ndjson")
                                  for record in scene.work.glob(".local/state/kerneldoc/*/record.ndjson")])
    server.start_kernel("recorded")
    server.connect()
    server.run("1 + 1")
    return server


def recorded(code, ended_by):
    def act(scene):
        server = recorded_server(scene)
        server.run(code)
        server.logged("restarting kernel")
        time.sleep(2)
        return ended_by

    return act


def of_kernel(kernel):
    """The processes that have a kernel's connection file."""
    listed = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True).stdout.splitlines()
    return [line for line in listed if f"kernel-{kernel}.json" in line]


def recorded_and_asked(scene):
    """Interrupt, restart and shutdown do what they do without a recorder, and leave no process behind."""
    server = recorded_server(scene)
    begun = time.monotonic()
    cell = threading.Thread(target=server.run, args=("import time; time.sleep(80)",))
    cell.start()
    time.sleep(3)
    server.call("POST", f"/api/kernels/{server.kernel}/interrupt", {})
    cell.join()
    assert time.monotonic() - begun < 60, "the interrupt did not end the cell"
    before = of_kernel(server.kernel)
    assert before, "the kernel lives on after an interrupt"
    server.call("POST", f"/api/kernels/{server.kernel}/restart", {})
    server.logged("Kernel restarted")
    server.connect()
    server.run("1 + 1")
    after = of_kernel(server.kernel)
    assert after and not set(before) & set(after), f"not another process: {before} {after}"
    server.call("DELETE", f"/api/kernels/{server.kernel}")
    server.logged("Kernel shutdown")
    for _ in range(100):
        if not of_kernel(server.kernel):
            return "its user"
        time.sleep(0.1)
    raise AssertionError(f"left behind: {of_kernel(server.kernel)}")


def server_killed(scene):
    server = Server(scene, script=True)
    server.start_kernel()
    server.connect()
    server.run("1 + 1")
    for process in children(server.process.pid):
        os.kill(process, signal.SIGKILL)
    server.logged("Parent appears to have exited")
    return "the death of its server"


# ---------------------------------------------------------------- notebooks run without a server


def batch(program, ended_by, *cells, limit=None):
    """A notebook run to its end, or to its kernel's."""

    def act(scene):
        cell = lambda source: {"cell_type": "code", "execution_count": None, "id": uuid.uuid4().hex[:8],
                               "metadata": {}, "outputs": [], "source": source}
        kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = {"cells": [cell(source) for source in cells], "metadata": {"kernelspec": kernelspec},
                    "nbformat": 4, "nbformat_minor": 5}
        (scene.work / "report.ipynb").write_text(json.dumps(notebook))
        command = {"papermill": ["papermill", "report.ipynb", "executed.ipynb"],
                   "nbconvert": ["jupyter-nbconvert", "--to", "notebook", "--execute", "report.ipynb",
                                 "--output", "executed.ipynb"]}[program]
        with open(scene.logs / f"{program}.log", "wb") as log:
            done = subprocess.run([VENV / "bin" / command[0], *command[1:]], cwd=scene.work, stdout=log,
                                  stderr=subprocess.STDOUT, env=environment(scene.work), preexec_fn=limit, timeout=300)
        assert done.returncode != 0, f"{program} said that all went well"
        # Papermill writes the notebook as far as it came; nbconvert writes none.
        if (scene.work / "executed.ipynb").exists():
            shutil.copy(scene.work / "executed.ipynb", scene.logs)
        return ended_by

    return act


def address_space_limit():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


# Two lanes, played side by side. What Linux logs is kept in the first only, so that no scene sees another's crash.
LANES = [
    {
        "killed": dies("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL", dmesg=True),
        "segmentation-fault": dies(SEGFAULT, "SIGSEGV", dmesg=True),
        "stack-overflow": dies(OVERFLOW, "SIGSEGV by an overflowing stack", dmesg=True),
        "memory-limit": memory_limit,
        "bad-startup-file": bad_startup_file,
        "server-killed": server_killed,
        "restart-by-user": restart_by_user,
    },
    {
        "abort": dies("import os; os.abort()", "SIGABRT"),
        "recorded-crash": recorded_crash,
        "exit": dies("exit()", "exit() in a cell"),
        "missing-ipykernel": missing_ipykernel,
        "output-flood": output_flood,
        "culling": culling,
        "nbconvert-dead-kernel": batch("nbconvert", "SIGABRT", "1 + 1", "import os; os.abort()"),
        "nbconvert-cell-error": batch("nbconvert", "an exception", "prices = {'a': 1}", "prices['b']"),
        "papermill-dead-kernel": batch("papermill", "os._exit(3)", "print('loading')", "import os; os._exit(3)"),
        "papermill-cell-error": batch("papermill", "an exception", "prices = {'a': 1}", "prices['b']"),
        "recorded-killed": recorded("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL, recorded"),
        "recorded-segmentation-fault": recorded(SEGFAULT, "SIGSEGV, recorded"),
        "recorded-exit": recorded("import os; os._exit(3)", "os._exit(3), recorded"),
        "recorded-and-asked": recorded_and_asked,
        "papermill-out-of-memory": batch("papermill", "an exception under `ulimit -v`", "1 + 1", FILL,
                                         limit=address_space_limit),
    },
]


def main():
    wanted = sys.argv[3:]

    def play(lane):
        for name, act in lane.items():
            if not wanted or name in wanted:
                Scene(name).play(act)

    threads = [threading.Thread(target=play, args=(lane,)) for lane in LANES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
