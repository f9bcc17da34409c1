"""Diagnose a fleet's logs with Apache Spark.

Reads a list of paths, partitions it by machine (``kerneldoc plan``), runs both halves of kerneldoc on the workers and
writes one verdict a line, as NDJSON or Parquet::

    spark-submit --master 'local[2]' spark.py listing.txt reports/ --format parquet

The files must be readable on every worker under the same paths, and ``kerneldoc`` must be there (``--kerneldoc PATH``,
or ``spark-submit --files kerneldoc``). Needs only pyspark. See docs/fleet.md.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark import RDD, SparkContext

#: Whole JSON values stand in these columns: their members differ from cause to cause.
JSON_COLUMNS = ("facts", "evidence", "memory", "fix", "also", "missing", "silent")
#: Columns of the Parquet form, in their order.
TEXT_COLUMNS = (
    "partition",
    "record",
    "id",
    "fingerprint",
    "time",
    "layer",
    "cause",
    "title",
    "confidence",
    "summary",
    "host",
    "user",
    "notebook",
    "container",
    "image",
    "kernel",
)


def key_of(line: str) -> str:
    """The partition key of a line of ``kerneldoc events``."""
    return str(json.loads(line)["key"])


def place(key: str) -> int:
    """Where a key's events meet: the same in every Python process, which ``hash`` is not."""
    return zlib.crc32(key.encode())


def diagnose(
    context: SparkContext,
    paths: list[str],
    *,
    kerneldoc: str = "kerneldoc",
    slices: int | None = None,
    options: str = "",
) -> RDD[str]:
    """Verdicts on the logs at ``paths``, one a line of JSON, each with the ``partition`` it belongs to.

    ``slices`` is how many tasks each half is divided into. ``options`` are further options of ``kerneldoc diagnose``,
    such as ``--timezone +08:00``. A task whose process fails is run again by Spark, on another worker if need be.
    """
    program = shlex.quote(kerneldoc)
    slices = slices or max(context.defaultParallelism * 4, 1)
    # Keys come from the paths alone, so that a machine's files meet whatever their lines say.
    planned = context.parallelize(sorted(set(paths)), slices).pipe(f"{program} plan -", checkCode=True)
    # The first half reads files one by one, anywhere.
    events = planned.pipe(f"{program} events --listing -", checkCode=True)
    # The second half needs all of a machine's events in one process.
    machines = events.keyBy(key_of).partitionBy(slices, place).values()
    command = f"{program} diagnose --events - --each-key --format ndjson --exit-zero {options}"
    return machines.pipe(command, checkCode=True)


def row(line: str) -> tuple[str | None, ...]:
    """A verdict as a row of the Parquet form."""
    verdict = json.loads(line)
    container, kernel = verdict.get("container") or {}, verdict.get("kernel") or {}
    flat = {**verdict, "container": container.get("id"), "image": container.get("image"), "kernel": kernel.get("id")}
    texts = tuple(flat.get(name) for name in TEXT_COLUMNS)
    return texts + tuple(json.dumps(verdict.get(name), ensure_ascii=False) for name in JSON_COLUMNS)


def save(verdicts: RDD[str], folder: str, form: str) -> None:
    """Writes verdicts below ``folder``, which must not exist, as ``ndjson`` or ``parquet``."""
    if form == "ndjson":
        verdicts.saveAsTextFile(folder)
        return
    # pyspark is asked for where it is used: the package is installed on servers that have none.
    from pyspark.sql import SparkSession  # noqa: PLC0415
    from pyspark.sql.types import StringType, StructField, StructType  # noqa: PLC0415

    session = SparkSession.builder.getOrCreate()
    schema = StructType([StructField(name, StringType()) for name in TEXT_COLUMNS + JSON_COLUMNS])
    # Snappy, the default, is a native library that not every worker can load; gzip comes with Java.
    session.createDataFrame(verdicts.map(row), schema).write.parquet(folder, compression="gzip")


def main(arguments: list[str] | None = None) -> int:
    """The command line: a listing in, a folder of verdicts out."""
    parser = argparse.ArgumentParser(description="Diagnose a fleet's logs with Apache Spark.")
    parser.add_argument("listing", help="a file of paths, one a line")
    parser.add_argument("folder", help="where the verdicts go; must not exist")
    parser.add_argument("--format", choices=("ndjson", "parquet"), default="ndjson")
    parser.add_argument("--kerneldoc", default="kerneldoc", help="the program on the workers")
    parser.add_argument("--slices", type=int, help="tasks of each half")
    parser.add_argument("--options", default="", help="further options of `kerneldoc diagnose`")
    chosen = parser.parse_args(arguments)

    from pyspark import SparkContext  # noqa: PLC0415

    with Path(chosen.listing).open(encoding="utf-8") as listing:
        paths = [line.rstrip("\n") for line in listing if line.strip()]
    context = SparkContext.getOrCreate()
    verdicts = diagnose(context, paths, kerneldoc=chosen.kerneldoc, slices=chosen.slices, options=chosen.options)
    save(verdicts, chosen.folder, chosen.format)
    return 0


if __name__ == "__main__":
    sys.exit(main())
