"""Makes the logs of a fleet: hosts that look alike, on each of which kernels die at the same minutes.

Every host uses the same names, process ids and times, so that only the hosts' folders and the ids of containers and
kernels tell their deaths apart. ``python make_fleet.py FOLDER [HOSTS] [DEATHS A HOST] [KILOBYTES OF NOISE A HOST]``
"""

from __future__ import annotations

import hashlib
import json
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

BEGIN = datetime(2026, 11, 30, 8, 0, 0, tzinfo=timezone.utc)
UPTIME = 50_000.0
#: When kernels die, in seconds: the same on every host. No two differ by whole quarter-hours, as a time zone would: a
#: server's log that names no zone and tells of one death could then not be put on the clock, by anybody.
MOMENTS = [613, 1907, 3509, 4925, 6461]
#: The host on which GPUs fall off the bus, and how often.
BAD_GPU_HOST, XIDS = 42, 3
#: Images and their memory limits in MiB.
IMAGES = [("scipy-notebook:2026-11", 2048), ("torch-notebook:2026-10", 16384), ("r-notebook:2026-09", 512)]


def name_of(host: int) -> str:
    return f"h{host:03}"


def ids(host: int, death: int) -> tuple[str, str]:
    """A container's id and a kernel's, which no other death has."""
    digest = hashlib.sha256(f"{host}/{death}".encode()).hexdigest()
    kernel = "-".join((digest[:8], digest[8:12], "4" + digest[13:16], "a" + digest[17:20], digest[20:32]))
    return digest, kernel


def stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S.") + f"{at.microsecond // 1000:03}"


def boot(at: datetime) -> str:
    return f"[{UPTIME + (at - BEGIN).total_seconds():12.6f}]"


def death_lines(host: int, death: int) -> dict[str, list[str]]:
    """What each log says of one death."""
    at = BEGIN + timedelta(seconds=MOMENTS[death % len(MOMENTS)] + 7200 * (death // len(MOMENTS)))
    container, kernel = ids(host, death)
    image, limit = IMAGES[(host + death) % len(IMAGES)]
    kilobytes, pid = limit * 1024, 4000 + death
    group = f"/docker/{container}"
    docker = at + timedelta(milliseconds=400)
    restart = at + timedelta(milliseconds=1700)
    about = f"{container} (image={image}, name=jupyter-user{death})"
    return {
        "host/dmesg.txt": [
            f"{boot(at)} python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
            f"{boot(at)} memory: usage {kilobytes}kB, limit {kilobytes}kB, failcnt 7",
            f"{boot(at)} oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset={container},mems_allowed=0,"
            f"oom_memcg={group},task_memcg={group},task=python3,pid={pid},uid=1000",
            f"{boot(at)} Memory cgroup out of memory: Killed process {pid} (python3) total-vm:{kilobytes * 2}kB, "
            f"anon-rss:{kilobytes * 9 // 10}kB, file-rss:16316kB, shmem-rss:0kB, UID:1000 pgtables:796kB oom_score_adj:0",
        ],
        "docker/events.log": [
            f"{docker.strftime('%Y-%m-%dT%H:%M:%S.%f')}000Z container oom {about}",
        ],
        f"jupyter/user{death}.log": [
            f"[I {stamp(at - timedelta(seconds=90))} ServerApp] Kernel started: {kernel}",
            f"[I {stamp(restart)} ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5), new random ports",
            f"[W {stamp(restart + timedelta(milliseconds=1))} ServerApp] kernel {kernel} restarted",
        ],
    }


def noise(kilobytes: int, at: datetime) -> dict[str, list[str]]:
    """Lines that matter to nobody."""
    access = [
        f"[I {stamp(at + timedelta(milliseconds=37 * n))} ServerApp] 200 GET /api/contents?content=1&hash=0&_={n}"
        f" (jovyan@10.0.0.{n % 250}) {n % 90}.{n % 10}0ms"
        for n in range(kilobytes * 8)
    ]
    audit = [f"{boot(at + timedelta(milliseconds=61 * n))} veth{n:04x}: renamed from eth0" for n in range(kilobytes)]
    return {"jupyter/proxy.log": access, "host/dmesg.txt": audit}


def make(folder: Path, hosts: int = 200, deaths: int = 5, kilobytes: int = 64) -> list[dict]:
    """Writes the logs and ``listing.txt``; gives what was planted."""
    planted, listing = [], []
    quiet = noise(kilobytes, BEGIN - timedelta(hours=2))
    for host in range(hosts):
        logs: dict[str, list[str]] = {path: list(lines) for path, lines in quiet.items()}
        for death in range(deaths):
            for path, lines in death_lines(host, death).items():
                logs.setdefault(path, []).extend(lines)
            container, kernel = ids(host, death)
            image, limit = IMAGES[(host + death) % len(IMAGES)]
            planted.append(
                {"host": name_of(host), "kernel": kernel, "container": container, "image": image, "limit": limit << 20}
            )
        if host == BAD_GPU_HOST:
            late = BEGIN + timedelta(hours=8)
            logs["host/dmesg.txt"] += [
                f"{boot(late + timedelta(hours=n))} NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, "
                "GPU has fallen off the bus."
                for n in range(XIDS)
            ]
        for path, lines in logs.items():
            file = folder / f"node={name_of(host)}" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            listing.append(str(file))
    (folder / "listing.txt").write_text("\n".join(listing) + "\n", encoding="utf-8")
    (folder / "planted.json").write_text(json.dumps(planted), encoding="utf-8")
    return planted


if __name__ == "__main__":
    make(Path(sys.argv[1]), *map(int, sys.argv[2:]))
