#!/usr/bin/env bash
# Runs every check and every test of this repository, on Debian 12 with Rust and nothing else.
#
#   deploy/test.sh            all stages, in order
#   deploy/test.sh STAGE…     only these; --list names them
#
# What the tests need besides is installed when it is missing (as root, or through sudo). Servers
# run on free loopback ports with their data in a temporary folder. The last line is the sum of all
# tests, "N passed, N failed"; the exit code is 0 only when every stage went well.
set -Eeuo pipefail

cd "$(dirname "$0")/.."

for part in deploy/test/*.sh; do
  # shellcheck source=/dev/null
  . "$part"
done

# In order: cheap ones first. A stage NAME is the function stage_NAME of a file in deploy/test.
# The image is passed over, with a reason, where no container engine runs.
STAGES=(format tidy lint supply types chart alerts argocd tests kill settings conformance browser
  image docs)

case "${1:-}" in
  --list) printf '%s\n' "${STAGES[@]}"; exit ;;
  -*) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2 ;;
  '') ;;
  *) STAGES=("$@") ;;
esac

run_stages "${STAGES[@]}"
