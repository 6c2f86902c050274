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

# A program elsewhere that depends on the package by its path, with nothing else to find the library.
package=$PWD
elsewhere=$(mktemp -d)
trap 'rm -rf "$elsewhere"' EXIT
mkdir "$elsewhere/src"
cat > "$elsewhere/Cargo.toml" << END
[package]
name = "mixgrad-dependent"
version = "0.1.0"
edition = "2021"

[dependencies]
mixgrad = { path = "$package" }
END
cat > "$elsewhere/src/main.rs" << 'END'
fn main() -> mixgrad::Result<()> {
    let x = mixgrad::NDArray::from_slice(&[1.0f32, 2.0, 3.0], &[3])?;
    assert_eq!((&x * 2.0).to_vec::<f32>()?, [2.0, 4.0, 6.0]);
    println!("a dependent package: runs");
    Ok(())
}
END
(cd "$elsewhere" && cargo build --offline --quiet)
(cd / && env -u MIXGRAD_LIB_DIR -u LD_LIBRARY_PATH "$CARGO_TARGET_DIR/debug/mixgrad-dependent")
