"""Record real kernel deaths: record.py VENV OUT [SCENE...]. See README.md beside this file."""
import json, os, pathlib, re, shutil, signal, subprocess, sys, time, urllib.request, uuid

import websocket

venv, out, *wanted = sys.argv[1:]
venv, out = pathlib.Path(venv).resolve(), pathlib.Path(out).resolve()
TOKEN = "0f3c9a7be2d14c55"


class Server:
    """A Jupyter server and one kernel of it."""

    def __init__(self, folder, *arguments, container=None):
        self.folder, self.port = folder, 8890
        self.work = folder / "work"
        self.work.mkdir(parents=True)
        self.container = container
        command = [str(venv / "bin/jupyter"), "lab", "--ip=127.0.0.1", f"--port={self.port}", "--no-browser", "--allow-root", *arguments]
        environment = {**os.environ, "JUPYTER_TOKEN": TOKEN, "HOME": str(self.work), "PATH": f"{venv}/bin:/usr/bin:/bin"}
        if container:
            base = pathlib.Path(os.path.realpath(venv / "bin/python")).parent.parent
            mounts = ["/usr", "/bin", "/lib", "/lib64", str(base), str(venv)]
            options = [o for m in mounts for o in ("-v", f"{m}:{m}:ro")]
            subprocess.run(["docker", "rm", "-f", container["name"]], capture_output=True)
            subprocess.run(["docker", "run", "-d", "--name", container["name"], "--network", "host", *container["options"], *options,
                            "-v", f"{self.work}:/srv/notebooks", "-w", "/srv/notebooks", "-e", f"JUPYTER_TOKEN={TOKEN}", "-e", "HOME=/srv/notebooks",
                            "-e", environment["PATH"] and f"PATH={environment['PATH']}", container["image"], *command], check=True, stdout=subprocess.DEVNULL)
        else:
            self.log = open(folder / "jupyter.log", "wb")
            self.process = subprocess.Popen(command, cwd=self.work, env=environment, stdout=self.log, stderr=subprocess.STDOUT)
        for _ in range(120):
            try:
                self.call("GET", "/api/status"); break
            except Exception:
                time.sleep(0.5)

    def call(self, method, path, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method, data=None if body is None else json.dumps(body).encode(),
                                         headers={"Authorization": "token " + TOKEN, "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def open(self):
        self.kernel = self.call("POST", "/api/sessions", {"path": "train.ipynb", "name": "train.ipynb", "type": "notebook", "kernel": {"name": "python3"}})["kernel"]["id"]
        time.sleep(2)
        self.session = uuid.uuid4().hex
        self.socket = websocket.create_connection(f"ws://127.0.0.1:{self.port}/api/kernels/{self.kernel}/channels?session_id={self.session}&token={TOKEN}", timeout=1)
        time.sleep(1.5)

    def run(self, code, seconds=20):
        self.socket.send(json.dumps({"header": {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "username": "u", "session": self.session, "version": "5.3", "date": ""},
                                     "parent_header": {}, "metadata": {}, "channel": "shell",
                                     "content": {"code": code, "silent": False, "store_history": True, "allow_stdin": False}}))
        end = time.time() + seconds
        while time.time() < end:
            try:
                message = json.loads(self.socket.recv())
            except websocket.WebSocketTimeoutException:
                continue
            except Exception:
                break
            state = message["content"].get("execution_state")
            if state in ("restarting", "dead", "autorestarting"):
                break
            if state == "idle" and message["parent_header"].get("msg_type") == "execute_request":
                break
        time.sleep(4)

    def close(self):
        """End the server without letting it say goodbye, so that the log holds only the scene."""
        if self.container:
            with open(self.folder / "jupyter.log", "wb") as log:
                subprocess.run(["docker", "logs", self.container["name"]], stdout=log, stderr=subprocess.STDOUT)
            path = subprocess.run(["docker", "inspect", "-f", "{{.LogPath}}", self.container["name"]], capture_output=True, text=True).stdout.strip()
            shutil.copy(path, self.folder / "container-json.log")
            with open(self.folder / "inspect.json", "wb") as inspect:
                subprocess.run(["docker", "inspect", self.container["name"]], stdout=inspect)
        else:
            self.process.kill(); self.process.wait(); self.log.close()


def in_container(scene, options, cells, orderly=False):
    folder = out / scene
    subprocess.run(["dmesg", "-C"])
    since = int(time.time())
    server = Server(folder, container={"name": "jupyter-ada", "image": "scipy-notebook:2026-11", "options": options})
    server.open()
    for cell in cells:
        server.run(cell)
    if orderly:
        subprocess.run(["docker", "stop", "jupyter-ada"], stdout=subprocess.DEVNULL)
    time.sleep(1)
    server.close()
    subprocess.run(["docker", "rm", "-f", "jupyter-ada"], capture_output=True)
    time.sleep(1)
    until = str(int(time.time()) - (0 if orderly else 2))
    for name, form in (("docker-events.log", []), ("docker-events.jsonl", ["--format", "{{json .}}"])):
        with open(folder / name, "wb") as events:
            subprocess.run(["docker", "events", "--since", str(since), "--until", until, *form], stdout=events)
    for name, form in (("dmesg.txt", []), ("dmesg-T.txt", ["-T"]), ("dmesg-iso.txt", ["--time-format", "iso"]), ("dmesg-x.txt", ["-x"]), ("dmesg-raw.txt", ["-r"]), ("dmesg.json", ["-J"])):
        with open(folder / name, "wb") as dmesg:
            subprocess.run(["dmesg", *form], stdout=dmesg)


def plain(scene, cells, *arguments, before=None, dmesg=False):
    folder = out / scene
    subprocess.run(["dmesg", "-C"])
    server = Server(folder, *arguments)
    if before:
        before(server)
    server.open()
    for cell in cells:
        cell(server) if callable(cell) else server.run(cell)
    server.close()
    if dmesg:
        with open(folder / "dmesg.txt", "wb") as log:
            subprocess.run(["dmesg"], stdout=log)


def notebook(path, *cells):
    path.parent.mkdir(parents=True, exist_ok=True)
    cell = lambda source: {"cell_type": "code", "execution_count": None, "id": uuid.uuid4().hex[:8], "metadata": {}, "outputs": [], "source": source}
    path.write_text(json.dumps({"cells": [cell(c) for c in cells], "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}, "nbformat": 4, "nbformat_minor": 5}))


def batch(scene, command, *cells, keep=None):
    folder = out / scene
    name = next((argument for argument in command if argument.endswith(".ipynb")), "report.ipynb")
    notebook(folder / "work" / name, *cells)
    with open(folder / f"{command[0]}.log", "wb") as log:
        subprocess.run([str(venv / "bin" / command[0]), *command[1:]], cwd=folder / "work", stdout=log, stderr=subprocess.STDOUT, env={**os.environ, "PATH": f"{venv}/bin:/usr/bin:/bin"})
    if keep:
        shutil.copy(folder / "work" / keep, folder)


def startup_file(server):
    server.startup = server.work / ".ipython/profile_default/startup/00-crash.py"


def crash_at_every_start(server):
    server.startup.parent.mkdir(parents=True, exist_ok=True)
    server.startup.write_text("import os\nos._exit(1)\n")
    server.run("import os; os._exit(1)")
    time.sleep(18)


SCENES = {
    "container-memory-limit": lambda s: in_container(s, ["--memory", "380m", "--memory-swap", "380m"], ["x = []\nwhile True: x.append(bytearray(10**7))"]),
    "docker-stop": lambda s: in_container(s, ["--memory", "600m"], ["1 + 1"], orderly=True),
    "segmentation-fault": lambda s: plain(s, ["import ctypes; ctypes.string_at(0)"], dmesg=True),
    "killed-without-a-trace": lambda s: plain(s, ["import os, signal; os.kill(os.getpid(), signal.SIGKILL)"]),
    "crash-at-every-start": lambda s: plain(s, [crash_at_every_start], before=startup_file),
    "culled-while-idle": lambda s: plain(s, ["1 + 1", lambda server: (server.socket.close(), time.sleep(28))],
                                         "--MappingKernelManager.cull_idle_timeout=15", "--MappingKernelManager.cull_interval=5"),
    "output-flood": lambda s: plain(s, ["for i in range(20000): print(i, flush=True)"]),
    "restart-interrupt-shutdown": lambda s: plain(s, ["1 + 1", lambda server: (server.call("POST", f"/api/kernels/{server.kernel}/restart", {}), time.sleep(3)),
                                                      lambda server: (server.call("POST", f"/api/kernels/{server.kernel}/interrupt", {}), time.sleep(1)),
                                                      lambda server: (server.call("DELETE", f"/api/kernels/{server.kernel}"), time.sleep(2))]),
    "ordinary-day": lambda s: plain(s, ["1 + 1", "import math; math.pi", "1/0"]),
    "papermill-dead-kernel": lambda s: batch(s, ["papermill", "report.ipynb", "out.ipynb"], "print('loading')", "import os; os._exit(3)"),
    "papermill-dead-kernel-with-notebook": lambda s: batch(s, ["papermill", "--log-output", "pipelines/nightly.ipynb", "nightly-2026-11-30.ipynb"],
                                                           "import ctypes", "rows = list(range(1000))\nprint(len(rows), 'rows')", "for row in rows:\n    ctypes.string_at(row)",
                                                           "print('done')", keep="nightly-2026-11-30.ipynb"),
    "nbconvert-dead-kernel": lambda s: batch(s, ["jupyter-nbconvert", "--to", "notebook", "--execute", "report.ipynb", "--output", "out.ipynb"], "import os; os.abort()"),
    "nbconvert-cell-error": lambda s: batch(s, ["jupyter-nbconvert", "--to", "notebook", "--execute", "report.ipynb", "--output", "out.ipynb"], "prices = {'a': 1}", "prices['b']"),
    "nbconvert-success": lambda s: batch(s, ["jupyter-nbconvert", "--to", "notebook", "--execute", "report.ipynb", "--output", "out.ipynb"], "1 + 1"),
}

replace = [(re.escape(str(venv)), "/opt/conda"), (os.path.dirname(os.path.dirname(os.path.realpath(venv / "bin/python"))), "/usr/local"), (rf"(?<![-_\w]){re.escape(os.uname().nodename)}(?![-_\w])", "lab7")]
for scene in wanted or SCENES:
    shutil.rmtree(out / scene, ignore_errors=True)
    (out / scene).mkdir(parents=True)
    print(scene, flush=True)
    SCENES[scene](scene)
    shutil.rmtree(out / scene / "work", ignore_errors=True)
    for path in (out / scene).iterdir():
        text = path.read_text(errors="replace")
        for pattern, plain_text in [(re.escape(str(out / scene / "work")), "/srv/notebooks"), *replace]:
            text = re.sub(pattern, plain_text, text)
        path.write_text(text)
