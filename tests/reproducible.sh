#!/usr/bin/env bash
# Builds the release twice, in two folders that have no build in common, and compares the programs byte for byte.
# `tests/reproducible.sh [FOLDER]`; some ten minutes on two cores. Not part of `.ci/run`; a release runs it.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
folder=$(realpath "${1:-$(mktemp -d)}")
cargo=${CARGO_HOME:-$HOME/.cargo}

commit=$(git rev-parse HEAD)
build() {
  git clone --quiet "$here" "$folder/$1"
  cd "$folder/$1"
  # Whoever commits while this runs would compare two programs.
  git checkout --quiet --detach "$commit"
  RUSTFLAGS="--remap-path-prefix=$PWD=/kerneldoc --remap-path-prefix=$cargo=/cargo" \
    cargo build --quiet --locked --release
  sha256sum target/release/kerneldoc
}
(build first)
(build second/and/deeper)
cmp "$folder/first/target/release/kerneldoc" "$folder/second/and/deeper/target/release/kerneldoc"
echo "the two builds are equal byte for byte"
