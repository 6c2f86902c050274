//! Files of arrays.

use crate::error::check;
use crate::value::c_text;
use crate::{sys, NDArray, Result};
use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::ptr;

/// Writes named arrays in the format of MXNet's .params files; the file appears complete or not at all. Blocks.
pub fn save(path: &str, arrays: &BTreeMap<String, NDArray>) -> Result<()> {
    let names: Vec<CString> = arrays.keys().map(|name| c_text(name)).collect();
    let pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
    let handles: Vec<_> = arrays.values().map(NDArray::handle).collect();
    check(unsafe {
        sys::mg_arrays_save(
            c_text(path).as_ptr(),
            c_text("params").as_ptr(),
            handles.len() as i32,
            handles.as_ptr(),
            pointers.as_ptr(),
        )
    })
}

/// Reads any known format. Arrays without names are called "0", "1", ... Blocks.
pub fn load(path: &str) -> Result<BTreeMap<String, NDArray>> {
    let mut list = ptr::null_mut();
    check(unsafe { sys::mg_arrays_load(c_text(path).as_ptr(), &mut list) })?;
    let mut out = BTreeMap::new();
    let mut result = Ok(());
    for index in 0..unsafe { sys::mg_array_list_get_num_arrays(list) } {
        let mut array = ptr::null_mut();
        result = check(unsafe { sys::mg_array_list_get(list, index, &mut array) });
        if result.is_err() {
            break;
        }
        if array.is_null() {
            continue; // old files may hold "no value"
        }
        let name = unsafe { sys::mg_array_list_get_name(list, index) };
        let name = if name.is_null() {
            index.to_string()
        } else {
            unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
        };
        out.insert(name, NDArray::own(array));
    }
    unsafe { sys::mg_array_list_destroy(list) };
    result.map(|()| out)
}
