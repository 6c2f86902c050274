//! Graphs of operators.

use crate::error::check;
use crate::value::c_text;
use crate::{sys, Error, Result};
use std::ffi::{CStr, CString};
use std::os::raw::c_char;
use std::ptr;
use std::rc::Rc;

struct Handle(*mut sys::mg_symbol);
impl Drop for Handle {
    fn drop(&mut self) {
        unsafe { sys::mg_symbol_destroy(self.0) }
    }
}

/// Outputs of a graph.
#[derive(Clone)]
pub struct Symbol(Rc<Handle>);

/// Shapes in the order of the lists of names.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Shapes {
    pub arguments: Vec<Vec<i64>>,
    pub outputs: Vec<Vec<i64>>,
    pub auxiliary_states: Vec<Vec<i64>>,
}

pub(crate) fn take_text(text: *mut c_char) -> String {
    let out = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    unsafe { sys::mg_buffer_destroy(text.cast()) };
    out
}

impl Symbol {
    pub(crate) fn own(handle: *mut sys::mg_symbol) -> Symbol {
        Symbol(Rc::new(Handle(handle)))
    }
    pub(crate) fn handle(&self) -> *mut sys::mg_symbol {
        self.0 .0
    }
    fn made(make: impl FnOnce(&mut *mut sys::mg_symbol) -> sys::mg_status) -> Result<Symbol> {
        let mut out = ptr::null_mut();
        check(make(&mut out))?;
        Ok(Self::own(out))
    }

    /// An input of a graph.
    pub fn variable(name: &str) -> Result<Symbol> {
        let name = c_text(name);
        Self::made(|out| unsafe {
            sys::mg_symbol_create_variable(name.as_ptr(), 0, ptr::null(), ptr::null(), out)
        })
    }
    /// All outputs of all symbols.
    pub fn group(symbols: &[&Symbol]) -> Result<Symbol> {
        let handles: Vec<*const sys::mg_symbol> =
            symbols.iter().map(|symbol| symbol.handle() as *const _).collect();
        Self::made(|out| unsafe { sys::mg_symbol_group(handles.len() as i32, handles.as_ptr(), out) })
    }
    /// Reads MXNet's JSON, versions 0.7 to 1.9. Blocks.
    pub fn load(path: &str) -> Result<Symbol> {
        let path = c_text(path);
        Self::made(|out| unsafe { sys::mg_symbol_load(path.as_ptr(), out) })
    }
    /// The same from text.
    pub fn from_json(text: &str) -> Result<Symbol> {
        Self::made(|out| unsafe {
            sys::mg_symbol_from_json(text.as_ptr().cast(), text.len(), ptr::null(), out)
        })
    }
    /// The JSON of MXNet 1.9.1.
    pub fn to_json(&self) -> Result<String> {
        let mut text = ptr::null_mut();
        check(unsafe { sys::mg_symbol_to_json(self.handle(), &mut text) })?;
        Ok(take_text(text))
    }
    /// The file appears complete or not at all. Blocks.
    pub fn save(&self, path: &str) -> Result<()> {
        check(unsafe { sys::mg_symbol_save(self.handle(), c_text(path).as_ptr()) })
    }
    /// One of several outputs.
    pub fn output(&self, index: i32) -> Result<Symbol> {
        Self::made(|out| unsafe { sys::mg_symbol_get_output(self.handle(), index, out) })
    }

    fn list(&self, part: i32) -> Result<Vec<String>> {
        let mut list = ptr::null_mut();
        check(unsafe { sys::mg_symbol_list(self.handle(), part, &mut list) })?;
        unsafe {
            let names = (0..sys::mg_string_list_get_num_strings(list))
                .map(|i| CStr::from_ptr(sys::mg_string_list_get(list, i)).to_string_lossy().into_owned())
                .collect();
            sys::mg_string_list_destroy(list);
            Ok(names)
        }
    }
    /// Names of the variables that no operator writes.
    pub fn list_arguments(&self) -> Result<Vec<String>> {
        self.list(sys::MG_PART_ARGUMENTS)
    }
    /// Names of the outputs.
    pub fn list_outputs(&self) -> Result<Vec<String>> {
        self.list(sys::MG_PART_OUTPUTS)
    }
    /// Names of the variables that an operator writes, such as the averages of BatchNorm.
    pub fn list_auxiliary_states(&self) -> Result<Vec<String>> {
        self.list(sys::MG_PART_AUXILIARY_STATES)
    }

    /// What follows from the shapes of some variables; an error when not all follow.
    pub fn infer_shape(&self, known: &[(&str, &[i64])]) -> Result<Shapes> {
        let names: Vec<CString> = known.iter().map(|(name, _)| c_text(name)).collect();
        let pointers: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
        let ndims: Vec<i32> = known.iter().map(|(_, shape)| shape.len() as i32).collect();
        let extents: Vec<*const i64> = known.iter().map(|(_, shape)| shape.as_ptr()).collect();
        let mut inference = ptr::null_mut();
        unsafe {
            check(sys::mg_symbol_infer(
                self.handle(),
                known.len() as i32,
                pointers.as_ptr(),
                ndims.as_ptr(),
                extents.as_ptr(),
                ptr::null(),
                &mut inference,
            ))?;
            let shapes = self.inferred(inference);
            sys::mg_inference_destroy(inference);
            shapes
        }
    }
    unsafe fn inferred(&self, inference: *mut sys::mg_inference) -> Result<Shapes> {
        if sys::mg_inference_has_shapes(inference) == 0 {
            let message =
                "[infer_shape] the shapes given do not decide all others; give those of more inputs";
            return Err(Error::new(sys::MG_STATUS_SHAPE, message));
        }
        let part = |which: i32| -> Result<Vec<Vec<i64>>> {
            let mut out = Vec::new();
            for index in 0..self.list(which)?.len() {
                let (mut ndim, mut extents) = (0, ptr::null());
                check(sys::mg_inference_get_shape(inference, which, index as i32, &mut ndim, &mut extents))?;
                out.push((0..ndim as usize).map(|axis| *extents.add(axis)).collect());
            }
            Ok(out)
        };
        Ok(Shapes {
            arguments: part(sys::MG_PART_ARGUMENTS)?,
            outputs: part(sys::MG_PART_OUTPUTS)?,
            auxiliary_states: part(sys::MG_PART_AUXILIARY_STATES)?,
        })
    }
}
