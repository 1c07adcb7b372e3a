#!/bin/sh
# Builds the program that the image ships: one static file.
#
#   deploy/build-static.sh FILE
#
# PROFILE (dist) and CARGO_TARGET_DIR are read from the environment.
set -eu

out=$1
profile=${PROFILE:-dist}
root=$(cd "$(dirname "$0")/.." && pwd)
target_dir=${CARGO_TARGET_DIR:-$root/target}

cd "$root"
# Only the program itself is told to be static, so that everything below it is what the tests have
# compiled already; build scripts and macros cannot be static at all.
cargo rustc --locked --profile "$profile" --package parlor --bin parlor -- \
  -C target-feature=+crt-static

folder=$profile
[ "$profile" != dev ] || folder=debug
mkdir -p "$(dirname "$out")"
cp "$target_dir/$folder/parlor" "$out"
# Symbols stay, for backtraces; debug information of lines does not.
if command -v strip >/dev/null; then strip --strip-debug "$out"; fi

# A dynamic program would not start in an empty image.
if command -v ldd >/dev/null && ldd "$out" 2>/dev/null | grep -q '=>'; then
  echo "$out is not static" >&2
  exit 1
fi
