# The client protocol against the whole system in one process: the script that client authors use.
# shellcheck shell=bash

prepare_conformance() {
  need cc gcc libc6-dev
  need node nodejs
}

stage_conformance() {
  cargo build --locked -p parlor
  local target folder process code
  target=$(cargo metadata --no-deps --format-version 1 |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
  folder=$SCRATCH/conformance
  mkdir -p "$folder"
  "$target/debug/parlor" run all --data-dir "$folder/data" --gateway-listen 127.0.0.1:0 \
    >"$folder/url" 2>"$folder/log" &
  process=$!
  await 60 grep -q '^http' "$folder/url" || {
    cat "$folder/log"
    kill "$process"
    return 1
  }
  code=0
  node proto/parlor/gateway/v1/conformance.mjs "$(grep '^http' "$folder/url")" || code=$?
  kill "$process"
  wait "$process" || true
  return "$code"
}
