//! Recording of calls for gradients.

use crate::error::check;
use crate::{sys, Result};
use std::marker::PhantomData;
use std::ptr;

/// While it lives, calls of this thread are recorded.
pub struct Record {
    recording: i32,
    training: i32,
    _of_this_thread: PhantomData<*mut ()>,
}

/// Records from here until the result is dropped, and runs operators as in training.
pub fn record() -> Result<Record> {
    let (mut recording, mut training) = (0, 0);
    unsafe {
        check(sys::mg_autograd_set_recording(1, &mut recording))?;
        check(sys::mg_autograd_set_training(1, &mut training))?;
    }
    Ok(Record { recording, training, _of_this_thread: PhantomData })
}

impl Drop for Record {
    fn drop(&mut self) {
        unsafe {
            sys::mg_autograd_set_recording(self.recording, ptr::null_mut());
            sys::mg_autograd_set_training(self.training, ptr::null_mut());
        }
    }
}
