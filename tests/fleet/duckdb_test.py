"""The queries of docs/fleet.md give the right answers over the made fleet.

``python tests/fleet/duckdb_test.py KERNELDOC`` needs duckdb.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import duckdb

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from make_fleet import BAD_GPU_HOST, XIDS, make, name_of  # noqa: E402

GIB = 1 << 30


def main() -> int:
    kerneldoc = str(Path(sys.argv[1]).resolve())
    page = (HERE.parent.parent / "docs" / "fleet.md").read_text(encoding="utf-8")
    queries = re.findall(r"^```sql\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    with tempfile.TemporaryDirectory() as scratch:
        planted = make(Path(scratch) / "fleet", hosts=50, kilobytes=1)
        os.chdir(scratch)
        Path("verdicts").mkdir()
        command = f"{kerneldoc} plan fleet/listing.txt | {kerneldoc} events --listing - | {kerneldoc} diagnose --events -"
        subprocess.run(f"{command} --each-key -f ndjson --exit-zero > verdicts/all.ndjson", shell=True, check=True)
        view, causes, saved, xids = queries
        connection = duckdb.connect()
        connection.execute(view)
        answers = [connection.execute(query).fetchall() for query in (causes, saved, xids)]
    cause = "container-memory-limit"
    images = Counter(one["image"] for one in planted)
    cheap = Counter(one["image"] for one in planted if one["limit"] // 2 <= 4 * GIB)
    ranked = lambda counts: [(image, cause, n) for image, n in sorted(counts.items(), key=lambda one: (-one[1], one[0]))]
    expected = [ranked(images), ranked(cheap), [(name_of(BAD_GPU_HOST), "0000:3b:00", XIDS)]]
    for name, answer, right in zip(("top causes by image", "saved by 4 GiB", "Xid 79"), answers, expected):
        print(f"{name}: {answer}")
        assert answer == right, f"expected {right}"
    assert 0 < len(cheap) < len(images)
    print("all answers are right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
