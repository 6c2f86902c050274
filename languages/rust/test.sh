#!/usr/bin/env bash
# Tests and example of the Rust package. Usage: test.sh FOLDER (of libmixgrad, from the top)
set -euo pipefail
cd "$(dirname "$0")/../.."
MIXGRAD_LIB_DIR=$(realpath "${1:-build/release}")
export MIXGRAD_LIB_DIR CARGO_TARGET_DIR="$PWD/build/languages/rust" RUSTFLAGS="-D warnings"
beside=$(dirname "$(command -v cargo)")/rustc  # the compiler that came with this cargo, where there are several
[ ! -x "$beside" ] || export RUSTC=$beside
cd languages/rust
cargo test --offline --quiet
cargo run --offline --quiet --example digits
