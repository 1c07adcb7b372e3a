# The web client's types: its modules against the protocol, its words and options against the rules.
# shellcheck shell=bash

prepare_types() {
  need node nodejs
  need npm npm
}

stage_types() {
  local modules=$SCRATCH/types client=services/gateway/web/src/client
  mkdir -p "$modules"
  cp deploy/test/types/package.json "$modules"
  npm install --prefix "$modules" --no-audit --no-fund --silent
  node deploy/test/types/protocol.mjs proto >"$modules/protocol.d.ts"
  diff "$client/protocol.d.ts" "$modules/protocol.d.ts" || {
    echo "write it anew: node deploy/test/types/protocol.mjs proto >$client/protocol.d.ts"
    return 1
  }
  "$modules/node_modules/.bin/tsc" -p deploy/test/types/tsconfig.json
  # Copied, because only the package says to node that the files are modules.
  cp -r services/gateway/web "$modules/web"
  PARLOR_WEB=$modules/web node --test --test-reporter=tap deploy/test/types | tee "$modules/out.tap"
  awk '/^# pass /{passed=$3} /^# fail /{failed=$3}
    END {printf "types: %d passed, %d failed\n", passed, failed}' "$modules/out.tap"
}
