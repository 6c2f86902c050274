//! Finds libmixgrad for programs built here: MIXGRAD_LIB_DIR, else build/release of the repository that this package lies in.
//! Nothing is linked: a package's search paths do not reach the programs of those that depend on it (src/library.rs).

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-env-changed=MIXGRAD_LIB_DIR");
    let folder = match env::var_os("MIXGRAD_LIB_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"))
            .join("../../build/release"),
    };
    let found = folder.canonicalize().unwrap_or_else(|error| {
        panic!("libmixgrad is not in {}: {error}; set MIXGRAD_LIB_DIR to its folder", folder.display())
    });
    println!("cargo:rustc-env=MIXGRAD_BUILT_WITH={}", found.display());
}
