#!/usr/bin/env bash
# The queries of docs/fleet.md, and with `spark` as second word the test of src/python/kerneldoc/spark.py (some minutes;
# Java 17). `tests/fleet/run.sh KERNELDOC [spark]`; without PyPI it says so and does nothing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=$here/../../target/fleet-venv
packages=(duckdb)
[ "${2:-}" = spark ] && packages+=(pyspark)

[ -x "$venv/bin/python" ] || python3 -m venv "$venv" || { echo "no Python: nothing is tested"; exit 0; }
if ! timeout 300 "$venv/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"; then
  echo "${packages[*]} cannot be installed here: nothing is tested"
  exit 0
fi
"$venv/bin/python" "$here/duckdb_test.py" "$1"
# The metrics as Prometheus' own linter wants them, where it is installed (Debian's `prometheus`).
if command -v promtool >/dev/null; then
  "$1" diagnose --exit-zero --format json "$here/../../fixtures/cases/container-memory-limit/logs" |
    "$1" summary --format prometheus | promtool check metrics
  echo "promtool has nothing to say against the metrics"
fi
[ "${2:-}" != spark ] || "$venv/bin/python" "$here/spark_test.py" "$1"
