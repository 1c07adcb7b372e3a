# The runner: stages, their times, and the sum of what they counted.
# shellcheck shell=bash

# Data of the servers, logs of the stages; removed at the end.
SCRATCH=

# Runs as the script ends, however it ends.
clean_up() {
  local code=$?
  stop_services || true
  [ -z "$SCRATCH" ] || rm -rf "$SCRATCH"
  exit "$code"
}

run_stages() {
  local stage started code ended failed=() report=()
  SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/parlor-test.XXXXXX")
  chmod 755 "$SCRATCH"
  trap clean_up EXIT
  trap 'exit 130' INT TERM
  for stage in "$@"; do
    if ! declare -F "stage_$stage" >/dev/null; then
      echo "there is no stage $stage" >&2
      exit 2
    fi
  done
  local all=$SECONDS
  for stage in "$@"; do
    printf '\n=== %s\n' "$stage"
    started=$SECONDS
    # In this shell, so that the servers it starts are there for later stages too. When it fails
    # there is nothing to test with, and the run ends.
    if declare -F "prepare_$stage" >/dev/null; then
      "prepare_$stage"
    fi
    # Not `stage || …`: in such a context bash would ignore a failure in the middle of the stage.
    set +e
    (
      set -e
      "stage_$stage"
    ) 2>&1 | tee "$SCRATCH/$stage.log"
    code=${PIPESTATUS[0]}
    set -e
    ended=$((SECONDS - started))
    if [ "$code" = 0 ]; then
      report+=("$(printf '%-10s ok      %5d s' "$stage" "$ended")")
    else
      report+=("$(printf '%-10s FAILED  %5d s' "$stage" "$ended")")
      failed+=("$stage")
    fi
  done
  printf '\n'
  printf '%s\n' "${report[@]}"
  printf '%-10s         %5d s\n\n' total "$((SECONDS - all))"
  print_sum "${#failed[@]}"
  [ "${#failed[@]}" = 0 ]
}

# Sums the counts in the logs: cargo's "test result: ok. N passed; M failed", nextest's
# "N tests run: N passed, M failed", and lines of a stage's own "STAGE: N passed, M failed". A stage
# that failed without a failed test counts as one.
print_sum() {
  local stages_failed=$1
  awk -v stages="$stages_failed" '
    { gsub(/\033\[[0-9;]*m/, "") }
    /^test result:|tests? run: |^[a-z]+: [0-9]+ passed/ {
      for (i = 2; i <= NF; i++) {
        if ($i ~ /^passed/) passed += $(i - 1)
        if ($i ~ /^failed/) failed += $(i - 1)
      }
    }
    END {
      if (failed == 0) failed = stages
      printf "%d passed, %d failed\n", passed, failed
    }' "$SCRATCH"/*.log
}
