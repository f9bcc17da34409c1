#!/usr/bin/env bash
# The image of `Dockerfile`, around a static program that was built elsewhere, so that no other image need be fetched:
# `tests/image.sh target/x86_64-unknown-linux-musl/release/kerneldoc`. Needs a container engine; without one it says so.
set -euo pipefail
cd "$(dirname "$0")/.."

program=$1
if ! docker info >/dev/null 2>&1; then
  echo "no container engine here: the image is not built"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$program" "$folder/kerneldoc"
cp LICENSE-MIT LICENSE-APACHE "$folder"
# The first stage only has to leave the program where the second looks for it.
{
  printf 'FROM scratch AS build\nCOPY kerneldoc /kerneldoc/target/release/kerneldoc\n'
  sed -n '/^FROM scratch$/,$p' Dockerfile
} >"$folder/Dockerfile"
docker build --quiet --tag kerneldoc:test "$folder"

# As nobody, without a network, with nothing it could write to. Its only layers are the program and the licences.
run=(docker run --rm --network none --read-only --volume "$PWD/fixtures/cases/container-memory-limit/logs:/logs:ro" kerneldoc:test)
"${run[@]}" --version
grep -q 'memory limit' <<<"$("${run[@]}" diagnose --exit-zero /logs)"
# Without a word it reads /logs; a death found is status 1.
status=0
"${run[@]}" >/dev/null || status=$?
[ "$status" = 1 ]
docker image inspect --format '{{.Size}} bytes, user {{.Config.User}}' kerneldoc:test
