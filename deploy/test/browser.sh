# The web client in a real browser, against the whole system in one process. With a folder in
# PARLOR_SCREENSHOTS, every screen is kept there, in both sizes and languages.
# shellcheck shell=bash

prepare_browser() {
  need cc gcc libc6-dev
  need chromium chromium
  need node nodejs
  need npm npm
}

stage_browser() {
  cargo build --locked -p parlor
  local target modules
  target=$(cargo metadata --no-deps --format-version 1 |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
  modules=$SCRATCH/browser
  mkdir -p "$modules"
  cp deploy/test/browser/*.mjs deploy/test/browser/*.json "$modules"
  npm install --prefix "$modules" --no-audit --no-fund --silent
  PARLOR_BIN=$target/debug/parlor PARLOR_SCRATCH=$modules \
    node --test --test-concurrency=2 --test-reporter=tap "$modules" | tee "$modules/out.tap"
  awk '/^# pass /{passed=$3} /^# fail /{failed=$3}
    END {printf "browser: %d passed, %d failed\n", passed, failed}' "$modules/out.tap"
}
