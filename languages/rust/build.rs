//! Finds libmixgrad: MIXGRAD_LIB_DIR, else build/release of the repository that this package lies in.

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
    println!("cargo:rustc-link-search=native={}", found.display());
    println!("cargo:rustc-link-lib=dylib=mixgrad");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", found.display());
}
