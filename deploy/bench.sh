#!/usr/bin/env bash
# Measures `parlor bench` on every store and with a growing number of tables, and prints the table
# of deploy/BENCHMARKS.md. Meant for a machine that does nothing else.
#
#   deploy/bench.sh [SECONDS]      for how long each row is measured; 20 by default
#
# Redis and a Redis Cluster are started on free loopback ports with their data in a temporary
# folder, as for the tests.
set -Eeuo pipefail

cd "$(dirname "$0")/.."

for part in deploy/test/*.sh; do
  # shellcheck source=/dev/null
  . "$part"
done

seconds=${1:-20}
# The parts of the tests keep their data there.
# shellcheck disable=SC2034
SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/parlor-bench.XXXXXX")
trap clean_up EXIT

need python3 python3
cargo build --release --locked --quiet --package parlor
parlor=${CARGO_TARGET_DIR:-target}/release/parlor
start_redis

# print_row NAME: a line of the table from the JSON object of a run.
print_row() {
  python3 -c '
import json, sys
r = json.load(sys.stdin)
servers = [k for k in r["rss_mb"] if k != "clients"]
total = lambda figure: sum(r[figure].get(name, 0) for name in servers)
print("| {} | {} | {:.0f} | {:.2f} | {:.2f} | {:.2f} | {:.0f} | {:.0f} | {:.3f} | {} |".format(
    sys.argv[1], r["tables"], r["actions_per_s"], r["p50_ms"], r["p99_ms"], r["p999_ms"],
    total("cpu_us_per_action"), total("rss_mb"), r["mb_per_table"], r["errors"]))' "$1"
}

# row NAME FLAG…: what follows `--` is for the services.
row() {
  local name=$1
  shift
  "$parlor" bench --json --duration-s "$seconds" "$@" | print_row "$name"
}

# on URLS NAME FLAG…: the same with tables in Redis; the services inherit its address.
on() {
  local urls=$1
  shift
  PARLOR_REDIS_URL=$urls row "$@"
}

# peer NAME TABLES [RATE]: the echo table on Colyseus.
peer() {
  local name=$1
  shift
  node "$SCRATCH/colyseus/bench.mjs" "$1" "$seconds" "${@:2}" | print_row "$name"
}

need node nodejs npm
cp -r deploy/bench/colyseus "$SCRATCH/colyseus"
npm install --prefix "$SCRATCH/colyseus" --no-audit --no-fund --silent --ignore-scripts

echo '| what | tables | actions/s | p50 ms | p99 ms | p999 ms | server CPU µs/action | RSS MB |' \
  'MB/table | errors |'
echo '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|'
row 'echo, closed, memory' --tables 100
peer 'echo, closed, Colyseus 0.16' 100
row 'echo, closed, memory, gRPC' --tables 100 --transport grpc
row 'echo, closed, embedded' --tables 100 --table-store embedded
redis=$PARLOR_TEST_REDIS_URL cluster=$PARLOR_TEST_REDIS_CLUSTER_URLS
on "$redis" 'echo, closed, Redis' --tables 100 --table-store redis
on "$cluster" 'echo, closed, Cluster 3+3' --tables 100 --table-store redis
on "$cluster" 'echo, closed, Cluster 3+3, replica' --tables 100 --table-store redis \
  -- --table-durability=replica
row 'echo, paced 2/s, memory' --tables 100 --mode paced --rate 2
peer 'echo, paced 2/s, Colyseus 0.16' 100 2
row 'echo, paced 2/s, embedded' --tables 100 --mode paced --rate 2 --table-store embedded
on "$redis" 'echo, paced 2/s, Redis' --tables 100 --mode paced --rate 2 --table-store redis
on "$cluster" 'echo, paced 2/s, Cluster 3+3, replica' --tables 100 --mode paced --rate 2 \
  --table-store redis -- --table-durability=replica
for tables in 10 100 1000 4000; do
  row 'echo, paced 200/s in all, memory' --tables "$tables" --mode paced \
    --rate "$(python3 -c "print(200 / $tables)")"
done
for tables in 1000 10000; do
  row 'balatro, paced 1000/s in all, memory' --tables "$tables" --game balatro --mode paced \
    --rate "$(python3 -c "print(1000 / $tables)")"
done
for game in mahjong blackjack; do
  row "$game, closed, memory, chips" --tables 25 --game "$game" --buy-in 2000
done
row 'balatro, closed, memory' --tables 100 --game balatro
