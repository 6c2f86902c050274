//! What failing calls return.

use crate::sys;
use std::ffi::CStr;
use std::fmt;

/// What went wrong: it names the operator, what arrived and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    status: i32,
    message: String,
}

/// The result of calls that can fail.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(status: i32, message: impl Into<String>) -> Self {
        Error { status, message: message.into() }
    }
    /// A number of the C header's mg_status, such as `sys::MG_STATUS_SHAPE`.
    pub fn status(&self) -> i32 {
        self.status
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

pub(crate) fn check(status: sys::mg_status) -> Result<()> {
    if status == sys::MG_STATUS_OK {
        return Ok(());
    }
    // The message stays until this thread's next failing call.
    let message = unsafe { CStr::from_ptr(sys::mg_last_error()) };
    Err(Error::new(status, message.to_string_lossy()))
}
