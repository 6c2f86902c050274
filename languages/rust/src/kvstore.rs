//! Arrays by key, shared by devices.

use crate::error::check;
use crate::value::{c_text, Lent, Value};
use crate::{sys, NDArray, Result};
use std::ffi::{c_void, CStr};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;

type Updater = Box<dyn FnMut(&str, &NDArray, &NDArray) -> Result<()>>;

/// Arrays by key.
pub struct KVStore(*mut sys::mg_kvstore);

impl KVStore {
    /// "local" keeps values on the host, "device" on the devices that push.
    pub fn new(kind: &str) -> Result<KVStore> {
        let mut out = ptr::null_mut();
        check(unsafe { sys::mg_kvstore_create(c_text(kind).as_ptr(), &mut out) })?;
        Ok(KVStore(out))
    }
    /// The first value of a key.
    pub fn init(&self, key: &str, value: &NDArray) -> Result<()> {
        let lent = Lent::new(&Value::from(key));
        let handle = value.handle();
        check(unsafe { sys::mg_kvstore_init(self.0, 1, &lent.value, &handle) })
    }
    /// The sum of the values goes to the updater, or replaces what is stored.
    pub fn push(&self, key: &str, values: &[&NDArray]) -> Result<()> {
        let lent = Lent::new(&Value::from(key));
        let keys = vec![lent.value; values.len()];
        let handles: Vec<_> = values.iter().map(|value| value.handle()).collect();
        check(unsafe { sys::mg_kvstore_push(self.0, keys.len() as i32, keys.as_ptr(), handles.as_ptr(), 0) })
    }
    /// Overwrites the arrays with what is stored.
    pub fn pull(&self, key: &str, outs: &[&NDArray]) -> Result<()> {
        let lent = Lent::new(&Value::from(key));
        let keys = vec![lent.value; outs.len()];
        let handles: Vec<_> = outs.iter().map(|out| out.handle()).collect();
        check(unsafe { sys::mg_kvstore_pull(self.0, keys.len() as i32, keys.as_ptr(), handles.as_ptr(), 0) })
    }
    /// How pushes change what is stored: `updater(key, received, stored)` writes `stored`. It runs in the pushing
    /// thread; its error ends the push.
    pub fn set_updater(
        &self,
        updater: impl FnMut(&str, &NDArray, &NDArray) -> Result<()> + 'static,
    ) -> Result<()> {
        let boxed: Box<Updater> = Box::new(Box::new(updater));
        let given = sys::mg_kvstore_updater {
            size: std::mem::size_of::<sys::mg_kvstore_updater>(),
            context: Box::into_raw(boxed).cast(),
            update: Some(update),
            release: Some(release),
        };
        check(unsafe { sys::mg_kvstore_set_updater(self.0, &given) })
    }
}

unsafe extern "C" fn update(
    context: *mut c_void,
    key: *const sys::mg_value,
    received: *mut sys::mg_array,
    stored: *mut sys::mg_array,
) -> sys::mg_status {
    let updater = &mut *context.cast::<Updater>();
    let name = if (*key).kind == sys::MG_VALUE_STRING {
        CStr::from_ptr((*key).as_.string).to_string_lossy().into_owned()
    } else {
        (*key).as_.integer.to_string()
    };
    sys::mg_array_retain(received);
    sys::mg_array_retain(stored);
    let (received, stored) = (NDArray::own(received), NDArray::own(stored));
    // A panic must not cross into C.
    match catch_unwind(AssertUnwindSafe(|| updater(&name, &received, &stored))) {
        Ok(Ok(())) => sys::MG_STATUS_OK,
        Ok(Err(error)) => {
            sys::mg_set_error(c_text(&error.to_string()).as_ptr());
            if error.status() == sys::MG_STATUS_OK {
                sys::MG_STATUS_INTERNAL
            } else {
                error.status()
            }
        }
        Err(_) => {
            sys::mg_set_error(c_text("[KVStore] the updater panicked").as_ptr());
            sys::MG_STATUS_INTERNAL
        }
    }
}

unsafe extern "C" fn release(context: *mut c_void) {
    drop(Box::from_raw(context.cast::<Updater>()));
}

impl Drop for KVStore {
    fn drop(&mut self) {
        unsafe { sys::mg_kvstore_destroy(self.0) }
    }
}
