# What must be there: commands from Debian packages, free ports.
# shellcheck shell=bash

# need COMMAND PACKAGE…: installs the packages unless the command is there.
need() {
  local command=$1
  shift
  command -v "$command" >/dev/null || install_packages "$@"
}

install_packages() {
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || {
      echo "install these packages first (neither root nor sudo is here): $*" >&2
      return 1
    }
    as_root=(sudo)
  fi
  echo "installing: $*"
  "${as_root[@]}" apt-get update -qq
  # Debian starts the servers that it installs; ours run beside them on ports of their own.
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Prints COUNT ports in a row on which nobody listens, below those that the system hands out. Redis
# Cluster adds 10000 for its bus.
free_ports() {
  local count=$1 first port tries
  for ((tries = 0; tries < 200; tries++)); do
    first=$((12000 + RANDOM % 10000))
    for ((port = first; port < first + count; port++)); do
      if port_taken "$port" || port_taken "$((port + 10000))"; then
        continue 2
      fi
    done
    seq "$first" "$((first + count - 1))"
    return
  done
  echo "no free ports" >&2
  return 1
}

port_taken() {
  (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# await SECONDS COMMAND…: repeats the command until it succeeds.
await() {
  local limit=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS >= limit)); then
      echo "gave up waiting for: $*" >&2
      return 1
    fi
    sleep 0.1
  done
}
