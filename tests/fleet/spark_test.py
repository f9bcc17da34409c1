"""Planted deaths of a made fleet are all found by Spark, with all their evidence, and none is joined across hosts.

``python tests/fleet/spark_test.py KERNELDOC [HOSTS] [KILOBYTES OF NOISE A HOST]`` needs pyspark, duckdb and Java 17. It
runs once undisturbed in `local[2]`, then once where in each half the worker process of the first task is killed
(`local[2,4]`: four tries a task, as a cluster gives), and writes Parquet by the command line, which DuckDB reads. Prints
its table; fails where anything is lost.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "src" / "python" / "kerneldoc"))
sys.path.insert(0, str(HERE))

import spark  # noqa: E402
from make_fleet import make  # noqa: E402

#: A kerneldoc that kills the worker process it runs under, once in each half.
KILLER = """#!/bin/sh
if [ "$1" != plan ] && mkdir "{marks}/$1" 2>/dev/null; then
  tr '\\0' ' ' < "/proc/$PPID/cmdline" | grep -q pyspark.daemon || exit 1
  echo "$PPID" > "{marks}/$1/killed"; kill -9 "$PPID"; exit 1
fi
exec "{kerneldoc}" "$@"
"""


def folder_of(path: str) -> str:
    """The host that a path of the made fleet belongs to."""
    return next(part.removeprefix("node=") for part in path.split("/") if part.startswith("node="))


def judge(lines: list[str], planted: list[dict]) -> dict[str, int]:
    """Counts what was found of what was planted."""
    verdicts = [json.loads(line) for line in lines]
    deaths = [verdict for verdict in verdicts if verdict["record"] == "death"]
    by_kernel = {death.get("kernel", {}).get("id"): death for death in deaths}
    found = full = 0
    for one in planted:
        death = by_kernel.get(one["kernel"])
        right = death is not None and death["cause"] == "container-memory-limit" and (
            death["container"]["id"] == one["container"] and death["partition"] == f"host:{one['host']}"
        )
        found += right
        kinds = {Path(line["path"]).parent.name for line in death["evidence"]} if death else set()
        full += right and kinds == {"host", "docker", "jupyter"}
    crossed = sum(
        {folder_of(line["path"]) for line in verdict["evidence"]} != {verdict["partition"].removeprefix("host:")}
        for verdict in verdicts
    )
    return {"planted": len(planted), "deaths": len(deaths), "found": found, "full": full, "crossed": crossed}


def run(master: str, paths: list[str], kerneldoc: str) -> tuple[list[str], float]:
    """The verdicts, and how long it took without Spark's own start."""
    from pyspark import SparkConf, SparkContext

    settings = SparkConf().setMaster(master).setAppName("kerneldoc").set("spark.ui.enabled", "false")
    settings.set("spark.ui.showConsoleProgress", "false")
    context = SparkContext(conf=settings)
    context.setLogLevel("OFF")
    try:
        context.parallelize(range(4), 4).map(str).count()
        begun = time.monotonic()
        lines = spark.diagnose(context, paths, kerneldoc=kerneldoc, slices=8).collect()
        return lines, time.monotonic() - begun
    finally:
        context.stop()


def alone(listing: Path, kerneldoc: str) -> tuple[list[str], float]:
    """The same without Spark: one process a half."""
    begun = time.monotonic()
    command = f"{kerneldoc} plan {listing} | {kerneldoc} events --listing - | "
    command += f"{kerneldoc} diagnose --events - --each-key -f ndjson --exit-zero"
    done = subprocess.run(command, shell=True, check=True, capture_output=True, text=True)
    return done.stdout.splitlines(), time.monotonic() - begun


def parquet(listing: Path, kerneldoc: str, folder: Path) -> list[tuple]:
    """What the command line writes as Parquet, read by another program, in order."""
    import duckdb

    command = [sys.executable, spark.__file__, listing, folder, "--format", "parquet", "--kerneldoc", kerneldoc]
    quiet = {**os.environ, "SPARK_CONF_DIR": str(folder.parent), "PYSPARK_SUBMIT_ARGS": "--master local[2] pyspark-shell"}
    subprocess.run(command, check=True, env=quiet, stderr=subprocess.DEVNULL)
    columns = ", ".join(spark.TEXT_COLUMNS + spark.JSON_COLUMNS)
    return sorted(duckdb.sql(f"SELECT {columns} FROM '{folder}/*.parquet'").fetchall(), key=repr)


def main() -> int:
    kerneldoc = str(Path(sys.argv[1]).resolve())
    hosts, kilobytes = (list(map(int, sys.argv[2:])) + [200, 64][len(sys.argv) - 2 :])[:2]
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # Workers import the module by the name under which it was pickled.
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])
    with tempfile.TemporaryDirectory() as scratch:
        fleet = Path(scratch) / "fleet"
        planted = make(fleet, hosts=hosts, kilobytes=kilobytes)
        paths = (fleet / "listing.txt").read_text().split()
        gigabytes = sum(Path(path).stat().st_size for path in paths) / 1e9
        marks = Path(scratch) / "marks"
        marks.mkdir()
        killer = Path(scratch) / "kerneldoc"
        killer.write_text(KILLER.format(marks=marks, kerneldoc=kerneldoc))
        killer.chmod(0o755)
        runs = {
            "one process": alone(fleet / "listing.txt", kerneldoc),
            "local[2]": run("local[2]", paths, kerneldoc),
            "workers killed": run("local[2,4]", paths, str(killer)),
        }
        table = parquet(fleet / "listing.txt", kerneldoc, Path(scratch) / "verdicts")
        killed = sorted(mark.parent.name for mark in marks.glob("*/killed"))
    print(f"{hosts} hosts, {len(paths)} files, {gigabytes:.3f} GB; workers killed in: {', '.join(killed)}")
    print(f"{'run':18} planted deaths found  full evidence  across hosts  seconds  seconds/GB")
    good = killed == ["diagnose", "events"]
    whole = sorted(runs["one process"][0])
    for name, (lines, seconds) in runs.items():
        counts = judge(lines, planted)
        print(
            f"{name:18} {counts['planted']:7} {counts['deaths']:6} {counts['found']:5} {counts['full']:14} "
            f"{counts['crossed']:13} {seconds:8.1f} {seconds / gigabytes:11.1f}"
        )
        same = {counts[key] for key in ("planted", "deaths", "found", "full")} == {len(planted)}
        good = good and same and counts["crossed"] == 0 and sorted(lines) == whole
    rows = sorted(map(spark.row, whole), key=repr)
    print(f"Parquet: {len(table)} rows, {sum(one == other for one, other in zip(table, rows))} as in the reports")
    good = good and table == rows
    print("all found, byte for byte the same" if good else "SOMETHING IS MISSING")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
