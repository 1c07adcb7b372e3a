# PostgreSQL, Redis and a Redis Cluster for the tests that need them.
# shellcheck shell=bash

POSTGRES_RUNNING=
REDIS_RUNNING=()

start_services() {
  start_postgres
  start_redis
  # From here on a test that needs a server and finds none fails instead of being passed over.
  export PARLOR_TEST_REQUIRE_SERVICES=1
}

stop_services() {
  local port
  for port in "${REDIS_RUNNING[@]}"; do
    redis-cli -p "$port" shutdown nosave >/dev/null 2>&1 || true
  done
  REDIS_RUNNING=()
  if [ -n "$POSTGRES_RUNNING" ]; then
    as_postgres "$(postgres_bin)/pg_ctl" -D "$SCRATCH/postgres/data" -m immediate stop \
      >/dev/null 2>&1
    POSTGRES_RUNNING=
  fi
}

postgres_bin() {
  local folders=(/usr/lib/postgresql/*/bin)
  echo "${folders[-1]}"
}

# PostgreSQL refuses to run as root.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then
    (cd / && runuser -u postgres -- "$@")
  else
    "$@"
  fi
}

start_postgres() {
  [ -x "$(postgres_bin)/initdb" ] || install_packages postgresql
  local bin port data="$SCRATCH/postgres/data"
  bin=$(postgres_bin)
  port=$(free_ports 1)
  mkdir -p "$SCRATCH/postgres"
  [ "$(id -u)" != 0 ] || chown postgres "$SCRATCH/postgres"
  as_postgres "$bin/initdb" -D "$data" -U parlor -A trust -E UTF8 --locale=C.UTF-8 >/dev/null
  # It need not survive a power cut, only the tests.
  as_postgres "$bin/pg_ctl" -D "$data" -l "$SCRATCH/postgres/log" -w start -o "\
    -p $port -k $SCRATCH/postgres -c listen_addresses=127.0.0.1 -c max_connections=300 \
    -c fsync=off -c synchronous_commit=off -c full_page_writes=off" >/dev/null
  POSTGRES_RUNNING=1
  as_postgres "$bin/createdb" -h 127.0.0.1 -p "$port" -U parlor parlor
  export PARLOR_TEST_POSTGRES_URL="postgres://parlor@127.0.0.1:$port/parlor"
  echo "PostgreSQL on port $port"
}

# One server, and three masters with a replica each.
start_redis() {
  need redis-server redis-server
  local ports port nodes
  mapfile -t ports < <(free_ports 7)
  for port in "${ports[@]}"; do
    start_redis_server "$port" "$([ "$port" = "${ports[0]}" ] && echo no || echo yes)"
  done
  for port in "${ports[@]}"; do
    await 10 redis-cli -p "$port" ping
  done
  nodes=("${ports[@]:1}")
  redis-cli --cluster create "${nodes[@]/#/127.0.0.1:}" --cluster-replicas 1 --cluster-yes \
    >/dev/null
  # A replica that has never synced does not take over: wait for every node, not for the first.
  for port in "${nodes[@]}"; do
    await 30 redis_node_ready "$port"
  done
  export PARLOR_TEST_REDIS_URL="redis://127.0.0.1:${ports[0]}"
  PARLOR_TEST_REDIS_CLUSTER_URLS=$(printf ',redis://127.0.0.1:%s' "${nodes[@]}")
  export PARLOR_TEST_REDIS_CLUSTER_URLS=${PARLOR_TEST_REDIS_CLUSTER_URLS#,}
  echo "Redis on port ${ports[0]}, Redis Cluster on ports ${nodes[*]}"
}

start_redis_server() {
  local port=$1 cluster=$2 folder="$SCRATCH/redis-$1"
  mkdir -p "$folder"
  redis-server --port "$port" --bind 127.0.0.1 --dir "$folder" --daemonize yes \
    --logfile "$folder/log" --save '' --appendonly no --protected-mode no \
    --cluster-enabled "$cluster" --cluster-node-timeout 1500 --repl-diskless-sync-delay 0 \
    >/dev/null
  REDIS_RUNNING+=("$port")
}

redis_node_ready() {
  redis-cli -p "$1" cluster info | grep -q '^cluster_state:ok' &&
    { redis-cli -p "$1" info replication | grep -q '^role:master' ||
      redis-cli -p "$1" info replication | grep -q '^master_link_status:up'; }
}
