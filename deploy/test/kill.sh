# The stage in which processes die while clients play. It starts a Redis Cluster of its own, since
# it kills a master of it.
# shellcheck shell=bash

prepare_kill() {
  need cc gcc libc6-dev
  need redis-server redis-server
  [ -n "$POSTGRES_RUNNING" ] || start_postgres
}

# PARLOR_TEST_KILL_TABLES sets the number of tables.
stage_kill() {
  cargo test --package parlor --locked --test kill -- --ignored --nocapture
}
