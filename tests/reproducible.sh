#!/usr/bin/env bash
# Builds the release twice, in two folders that have no build in common, and compares the programs byte for byte.
# `tests/reproducible.sh [FOLDER]`; some ten minutes on two cores. Not part of `.ci/run`; a release runs it.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
folder=$(realpath "${1:-$(mktemp -d)}")
cargo=${CARGO_HOME:-$HOME/.cargo}

for one in first second/and/deeper; do
  git clone --quiet "$here" "$folder/$one"
  (
    cd "$folder/$one"
    RUSTFLAGS="--remap-path-prefix=$PWD=/kerneldoc --remap-path-prefix=$cargo=/cargo" \
      cargo build --quiet --locked --release
    sha256sum target/release/kerneldoc
  )
done
cmp "$folder/first/target/release/kerneldoc" "$folder/second/and/deeper/target/release/kerneldoc"
echo "the two builds are equal byte for byte"
