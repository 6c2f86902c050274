//! Applying operators by name; the types of `ops` are made of it.

use crate::error::check;
use crate::value::{c_text, Lent, Value};
use crate::{sys, NDArray, Result, Symbol};
use std::ffi::CString;
use std::ptr;

/// Parameters by name, and the name of the node on symbols.
#[derive(Clone, Debug, Default)]
pub struct Params {
    items: Vec<(String, Value)>,
    node: Option<String>,
}

impl Params {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds one.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.items.push((name.to_owned(), value.into()));
    }
    /// The same, in a chain of calls.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.set(name, value);
        self
    }
    pub(crate) fn name_node(&mut self, name: &str) {
        self.node = Some(name.to_owned());
    }
    fn lend<R>(
        &self,
        call: impl FnOnce(i32, *const *const std::os::raw::c_char, *const sys::mg_value) -> R,
    ) -> R {
        let names: Vec<CString> = self.items.iter().map(|(name, _)| c_text(name)).collect();
        let pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
        let lent: Vec<Lent> = self.items.iter().map(|(_, value)| Lent::new(value)).collect();
        let values: Vec<sys::mg_value> = lent.iter().map(|lent| lent.value).collect();
        call(values.len() as i32, pointers.as_ptr(), values.as_ptr())
    }
}

fn find(name: &str) -> Result<*const sys::mg_op> {
    let mut op = ptr::null();
    check(unsafe { sys::mg_op_find(c_text(name).as_ptr(), &mut op) })?;
    Ok(op)
}

/// What operators are applied to: arrays, which gives arrays, or symbols, which gives nodes.
pub trait Operand: Sized {
    /// All outputs of an operator.
    type Several;
    /// Applies the operator of that name.
    fn apply(op: &str, inputs: &[Option<&Self>], params: &Params) -> Result<Self::Several>;
    /// The same for an operator with one output.
    fn apply_one(op: &str, inputs: &[Option<&Self>], params: &Params) -> Result<Self>;
}

impl Operand for NDArray {
    type Several = Vec<NDArray>;

    fn apply(op: &str, inputs: &[Option<&Self>], params: &Params) -> Result<Vec<NDArray>> {
        let op = find(op)?;
        let mut handles: Vec<*mut sys::mg_array> =
            inputs.iter().map(|input| input.map_or(ptr::null_mut(), NDArray::handle)).collect();
        while handles.last().map_or(false, |handle| handle.is_null()) {
            handles.pop();
        }
        params.lend(|count, names, values| {
            let (mut num_inputs, mut num_outputs) = (0, 0);
            unsafe {
                check(sys::mg_op_arity(op, count, names, values, &mut num_inputs, &mut num_outputs))?;
                let mut results = vec![ptr::null_mut(); num_outputs as usize];
                check(sys::mg_op_call(
                    op,
                    handles.len() as i32,
                    handles.as_ptr(),
                    count,
                    names,
                    values,
                    &mut num_outputs,
                    results.as_mut_ptr(),
                ))?;
                Ok(results.into_iter().map(|handle| NDArray::own(handle)).collect())
            }
        })
    }

    fn apply_one(op: &str, inputs: &[Option<&Self>], params: &Params) -> Result<NDArray> {
        Ok(Self::apply(op, inputs, params)?.swap_remove(0))
    }
}

/// Applies an operator into an array that exists, such as `sgd_update` into the weight.
pub fn apply_to(op: &str, inputs: &[&NDArray], params: &Params, out: &NDArray) -> Result<()> {
    let op = find(op)?;
    let handles: Vec<*mut sys::mg_array> = inputs.iter().map(|input| input.handle()).collect();
    let (mut target, mut room) = (out.handle(), 1);
    params.lend(|count, names, values| {
        check(unsafe {
            sys::mg_op_call(
                op,
                handles.len() as i32,
                handles.as_ptr(),
                count,
                names,
                values,
                &mut room,
                &mut target,
            )
        })
    })
}

impl Operand for Symbol {
    type Several = Symbol;

    fn apply(op: &str, inputs: &[Option<&Self>], params: &Params) -> Result<Symbol> {
        let op = find(op)?;
        let variadic = unsafe { sys::mg_op_has(op, c_text("variadic").as_ptr()) } != 0;
        let mut handles = Vec::new();
        let mut input_names = Vec::new();
        for (index, input) in inputs.iter().enumerate() {
            let input = match input {
                Some(input) => input,
                None => continue,
            };
            handles.push(input.handle() as *const sys::mg_symbol);
            if variadic {
                continue;
            }
            let mut info = sys::mg_port_info {
                size: std::mem::size_of::<sys::mg_port_info>(),
                name: ptr::null(),
                doc: ptr::null(),
                mutates: 0,
                auxiliary: 0,
                variadic: 0,
            };
            check(unsafe { sys::mg_op_get_input(op, index as i32, &mut info) })?;
            input_names.push(info.name); // lives as long as the library
        }
        let node = params.node.as_deref().map(c_text);
        let mut out = ptr::null_mut();
        params.lend(|count, names, values| {
            check(unsafe {
                sys::mg_symbol_call(
                    op,
                    node.as_ref().map_or(ptr::null(), |name| name.as_ptr()),
                    handles.len() as i32,
                    if variadic { ptr::null() } else { input_names.as_ptr() },
                    handles.as_ptr(),
                    count,
                    names,
                    values,
                    0,
                    ptr::null(),
                    ptr::null(),
                    &mut out,
                )
            })
        })?;
        Ok(Symbol::own(out))
    }

    fn apply_one(op: &str, inputs: &[Option<&Self>], params: &Params) -> Result<Symbol> {
        Self::apply(op, inputs, params)
    }
}
