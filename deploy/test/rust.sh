# The stages of the Rust workspace.
# shellcheck shell=bash

# Incremental data would only take time and space in a run from scratch.
export CARGO_INCREMENTAL=${CARGO_INCREMENTAL:-0}

# The crates with C in them need a compiler; Rust itself needs a linker.
prepare_lint() {
  need cc gcc libc6-dev
}

stage_format() {
  cargo fmt --all --check
}

stage_tidy() {
  cargo xtask tidy
}

stage_lint() {
  cargo clippy --workspace --all-targets --locked -- -D warnings
}

# Licences, sources and banned crates. Advisories need github.com, so they have a job of their own.
stage_supply() {
  if cargo deny --version >/dev/null 2>&1; then
    cargo deny check bans licenses sources
  else
    echo "cargo-deny is not installed: passed over"
  fi
}

prepare_tests() {
  need cc gcc libc6-dev
  start_services
}

stage_tests() {
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --workspace --locked --no-fail-fast --status-level fail \
      --final-status-level fail
    cargo test --workspace --locked --doc --no-fail-fast
  else
    cargo test --workspace --locked --no-fail-fast
  fi
}

stage_docs() {
  # The documentation is for those who work on it, private items included: links to them are right.
  RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" \
    cargo doc --workspace --no-deps --document-private-items --locked
}
