# The stage of the container image.
# shellcheck shell=bash

# The image from the program that the Dockerfile's own script builds, and all four services out of
# it, without a network of their own, root, capabilities or a writable file system.
prepare_image() {
  need gcc gcc libc6-dev
  need strip binutils
  need dockerd docker.io iptables || echo "there will be no container engine"
}

stage_image() {
  # As the tests compile it; PARLOR_IMAGE_PROFILE=dist is what is released, and takes its time.
  PROFILE=${PARLOR_IMAGE_PROFILE:-dev} deploy/build-static.sh deploy/image/parlor
  deploy/image/parlor --version
  program_alone
  if ! start_docker; then
    echo "no container engine runs here; the image is not built: $(tail -n 1 "$SCRATCH/docker/log")"
    echo "image: 1 passed, 0 failed"
    return
  fi
  trap stop_docker EXIT
  build_image
  services_in_containers
}

# What the image holds, without an engine: static, and it answers a gRPC health check.
program_alone() {
  local ports program=$PWD/deploy/image/parlor process
  (! ldd "$program" 2>&1 | grep '=>')
  mapfile -t ports < <(free_ports 2)
  mkdir -p "$SCRATCH/alone"
  # Nothing of this machine but the program: neither a shell's variables nor a home.
  env --ignore-environment PARLOR_SERVICE_TOKEN=token-of-the-image-test \
    "PARLOR_SETTLEMENT_LISTEN=127.0.0.1:${ports[0]}" "PARLOR_ADMIN_LISTEN=127.0.0.1:${ports[1]}" \
    "PARLOR_SETTLEMENT_DATABASE_URL=sqlite://$SCRATCH/alone/settlement.db" \
    "$program" run settlement 2>"$SCRATCH/alone/log" &
  process=$!
  await 30 "$program" admin health --url "http://127.0.0.1:${ports[0]}" \
    --service parlor.settlement.v1.LedgerService || { cat "$SCRATCH/alone/log" && return 1; }
  kill "$process"
  wait "$process"
}

# A daemon of its own, so that it takes nothing from another and leaves nothing behind.
start_docker() {
  local folder="$SCRATCH/docker"
  mkdir -p "$folder"
  if ! [ -x /usr/bin/docker ] || ! command -v dockerd >/dev/null; then
    echo "docker is not installed" >"$folder/log"
    return 1
  fi
  export DOCKER_HOST="unix://$folder/socket" DOCKER_BUILDKIT=1
  dockerd --host "$DOCKER_HOST" --data-root "$folder/data" --exec-root "$folder/exec" \
    --pidfile "$folder/pid" --bridge=none --iptables=false >"$folder/log" 2>&1 &
  await 30 docker_answers
}

docker_answers() {
  /usr/bin/docker info >/dev/null 2>&1
}

stop_docker() {
  local pid
  pid=$(cat "$SCRATCH/docker/pid" 2>/dev/null) || return 0
  /usr/bin/docker ps --quiet | xargs -r /usr/bin/docker rm --force >/dev/null || true
  kill "$pid" && await 30 test ! -e "$SCRATCH/docker/pid" || true
  # The daemon leaves the network of the host mounted.
  umount "$SCRATCH/docker/exec/netns/default" 2>/dev/null || true
}

build_image() {
  local docker=/usr/bin/docker
  "$docker" build --quiet --file deploy/Dockerfile --build-arg PROGRAM=prebuilt \
    --build-arg VERSION=1.2.3 --build-arg REVISION=abc --tag parlor:test .
  "$docker" image inspect parlor:test --format '{{.Size}} bytes, user {{.Config.User}}'
  [ "$("$docker" image inspect parlor:test --format '{{.Config.User}}')" = 65532:65532 ]
  [ "$("$docker" image inspect parlor:test --format '{{len .RootFS.Layers}}')" -le 2 ]
  [ "$("$docker" image inspect parlor:test \
    --format '{{index .Config.Labels "org.opencontainers.image.version"}}')" = 1.2.3 ]
  # Nothing but the program: a shell would be an invitation.
  if "$docker" run --rm --network none --entrypoint /bin/sh parlor:test -c true 2>/dev/null; then
    echo "there is a shell in the image" >&2
    return 1
  fi
}

# in_container NAME VARIABLE=VALUE…: runs a service as a restricted pod would.
in_container() {
  local name=$1 variable arguments=()
  shift
  for variable in "$@"; do arguments+=(--env "$variable"); done
  /usr/bin/docker run --detach --name "$name" --network host --read-only --cap-drop ALL \
    --security-opt no-new-privileges --tmpfs /var/lib/parlor:uid=65532,mode=0700 \
    --env PARLOR_SERVICE_TOKEN=token-of-the-image-test --env PARLOR_LOG_FORMAT=json \
    "${arguments[@]}" parlor:test run "$name" >/dev/null
}

# asks NAME PORT SERVICE: health over gRPC, by the program in the image itself.
asks() {
  /usr/bin/docker run --rm --network host --read-only --cap-drop ALL parlor:test \
    admin health --url "http://127.0.0.1:$2" --service "$3" 2>/dev/null ||
    ! /usr/bin/docker logs --tail 5 "$1"
}

services_in_containers() {
  local ports name
  mapfile -t ports < <(free_ports 8)
  in_container settlement "PARLOR_SETTLEMENT_LISTEN=127.0.0.1:${ports[0]}" \
    "PARLOR_ADMIN_LISTEN=127.0.0.1:${ports[1]}" \
    PARLOR_SETTLEMENT_DATABASE_URL=sqlite:///var/lib/parlor/settlement.db
  local urls=("PARLOR_SETTLEMENT_URL=http://127.0.0.1:${ports[0]}")
  in_container table "PARLOR_TABLE_LISTEN=127.0.0.1:${ports[2]}" "${urls[@]}" \
    "PARLOR_ADMIN_LISTEN=127.0.0.1:${ports[3]}" PARLOR_TABLE_STORE_PATH=/var/lib/parlor/t.redb
  urls+=("PARLOR_TABLE_URLS=http://127.0.0.1:${ports[2]}")
  in_container matchmaking "PARLOR_MATCHMAKING_LISTEN=127.0.0.1:${ports[4]}" "${urls[@]}" \
    "PARLOR_ADMIN_LISTEN=127.0.0.1:${ports[5]}"
  urls+=("PARLOR_MATCHMAKING_URL=http://127.0.0.1:${ports[4]}")
  in_container gateway "PARLOR_GATEWAY_LISTEN=127.0.0.1:${ports[6]}" "${urls[@]}" \
    "PARLOR_ADMIN_LISTEN=127.0.0.1:${ports[7]}" \
    PARLOR_GATEWAY_TOKEN_SECRET=token-secret-of-the-image-test-32-bytes

  await 30 asks settlement "${ports[0]}" parlor.settlement.v1.LedgerService
  await 30 asks table "${ports[2]}" parlor.table.v1.TableService
  await 30 asks matchmaking "${ports[4]}" parlor.matchmaking.v1.MatchmakingService
  await 30 asks gateway "${ports[6]}" parlor.gateway.v1.SessionService
  asks table "${ports[2]}" liveness
  # An answer other than SERVING is a failure: the check can fail.
  if asks table "${ports[2]}" parlor.table.v1.NoSuchService >/dev/null 2>&1; then
    echo "a service that does not exist is healthy" >&2
    return 1
  fi

  for name in gateway matchmaking table settlement; do
    /usr/bin/docker stop --time 20 "$name" >/dev/null
    [ "$(/usr/bin/docker inspect --format '{{.State.ExitCode}}' "$name")" = 0 ] ||
      { /usr/bin/docker logs "$name" && return 1; }
  done
  echo "image: 6 passed, 0 failed"
}
