#!/usr/bin/env bash
# Builds the wheel, installs it into a fresh virtual environment, and tests the package there. Needs Python, pip and
# PyPI. Leaves the environment in target/wheel-venv, for tests/real_jupyter.rs. `tests/python/run.sh release` builds it
# as it is released, for manylinux2014 through zig, which takes some minutes; without that word it is a debug build.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=$PWD/target
tools=$target/tools-venv
venv=$target/wheel-venv
pip() { "$1/bin/pip" --disable-pip-version-check --quiet "${@:2}"; }

[ -x "$tools/bin/maturin" ] || python3 -m venv "$tools"
pip "$tools" install maturin ruff mypy
how=(--profile dev)
if [ "${1:-}" = release ]; then
  pip "$tools" install ziglang
  how=(--release --zig --compatibility manylinux2014)
fi

"$tools/bin/ruff" check src/python tests/python
"$tools/bin/ruff" format --check src/python tests/python

# From the source distribution, so that one that lacks a file fails here and not at a user's. maturin finds zig by the
# environment that is active.
rm -rf "$target/sdist" "$target/wheels"
"$tools/bin/maturin" sdist --out "$target/sdist"
tar -xzf "$target"/sdist/*.tar.gz -C "$target/sdist"
(
  cd "$target"/sdist/*/
  VIRTUAL_ENV=$tools PATH=$tools/bin:$PATH CARGO_TARGET_DIR=$target \
    "$tools/bin/maturin" build "${how[@]}" --out "$target/wheels"
)

python3 -m venv --clear "$venv"
pip "$venv" install "$target"/wheels/*.whl
# Before anything else is there: the wheel alone is a program and a module.
"$venv/bin/kerneldoc" --version
grep -q 'memory limit' <<<"$("$venv/bin/python" -m kerneldoc diagnose --exit-zero fixtures/cases/container-memory-limit/logs)"
"$venv/bin/python" -c 'import kerneldoc; print(kerneldoc.diagnose("fixtures/cases/container-memory-limit/logs")["deaths"][0]["cause"])'

pip "$venv" install jupyterlab papermill nbconvert websocket-client numpy pytest
# To install is to enable. (A pipe would end the list early, and that is an error of its own.)
grep -q 'kerneldoc.*OK' <<<"$("$venv/bin/jupyter" server extension list 2>&1)"
# mypy needs to see Jupyter's types, or that it has none.
"$tools/bin/mypy" --python-executable "$venv/bin/python"
# What is tested is what was installed: the source tree is not on the path.
"$venv/bin/python" -m pytest -q -p no:cacheprovider tests/python
