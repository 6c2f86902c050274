//! mixgrad for Rust: arrays, gradients, symbols, executors, stores and files over the C header, without other crates.
//!
//! Work is asynchronous: only functions that say "Blocks" wait for values. Handles belong to one thread. Cloning an
//! [`NDArray`] or a [`Symbol`] clones the reference, not the values.
//!
//! ```no_run
//! use mixgrad::{ops, NDArray};
//! let x = NDArray::from_slice(&[1.0f32, 2.0, 3.0], &[3])?;
//! let y = ops::Exp::new().call(&x)?;
//! println!("{:?}", (&y * 2.0).to_vec::<f32>()?);
//! # Ok::<(), mixgrad::Error>(())
//! ```
#![warn(missing_docs)]

pub mod autograd;
mod error;
mod executor;
mod files;
mod kvstore;
mod library;
mod ndarray;
pub mod operator;
#[allow(non_snake_case, clippy::all)]
#[rustfmt::skip]
pub mod ops;
mod symbol;
#[allow(non_camel_case_types, clippy::all)]
#[rustfmt::skip]
pub mod sys;
mod value;

pub use error::{Error, Result};
pub use executor::{Executor, GradReq};
pub use files::{load, save};
pub use kvstore::KVStore;
pub use ndarray::{DType, Device, Element, NDArray};
pub use symbol::{Shapes, Symbol};
pub use value::Value;

use error::check;

/// Blocks until all pushed work is done; gives the first failure not yet reported.
pub fn wait_all() -> Result<()> {
    check(unsafe { sys::mg_wait_all() })
}

/// Sets the seed of all random numbers from here on.
pub fn seed(value: u64) -> Result<()> {
    check(unsafe { sys::mg_random_seed(value) })
}

/// Threads that one large operator uses.
pub fn set_threads(count: i32) -> Result<()> {
    check(unsafe { sys::mg_engine_set_num_threads(count) })
}
