//! Planned graphs over arrays.

use crate::error::check;
use crate::symbol::take_text;
use crate::{sys, DType, Device, Error, NDArray, Result, Symbol};
use std::collections::BTreeMap;
use std::ptr;

/// What becomes of the gradients of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradReq {
    /// None is computed.
    Null,
    /// It overwrites what the array held.
    Write,
    /// It is added to what the array held.
    Add,
}

/// A planned graph over arrays.
pub struct Executor {
    handle: *mut sys::mg_executor,
    arguments: Vec<String>,
    auxiliary_states: Vec<String>,
}

fn zeros(shape: &[i64], device: Device) -> Result<NDArray> {
    let out = NDArray::empty(shape, DType::Float32, device)?;
    out.copy_from(&vec![0f32; out.size()])?;
    Ok(out)
}

impl Executor {
    /// Makes float32 arrays of zeros for every variable, with the shapes that follow from those given, and binds to
    /// them. The variables given are data: they get no gradient.
    pub fn simple_bind(
        symbol: &Symbol,
        shapes: &[(&str, &[i64])],
        grad_req: GradReq,
        device: Device,
    ) -> Result<Executor> {
        let all = symbol.infer_shape(shapes)?;
        let arguments = symbol.list_arguments()?;
        let auxiliary_states = symbol.list_auxiliary_states()?;
        let make = |shapes: &[Vec<i64>]| -> Result<Vec<NDArray>> {
            shapes.iter().map(|shape| zeros(shape, device)).collect()
        };
        let (args, aux) = (make(&all.arguments)?, make(&all.auxiliary_states)?);
        let mut grads = Vec::new();
        for (name, shape) in arguments.iter().zip(&all.arguments) {
            let data = shapes.iter().any(|(given, _)| given == name);
            let wanted = grad_req != GradReq::Null && !data;
            grads.push(if wanted { Some(zeros(shape, device)?) } else { None });
        }
        let number = if grad_req == GradReq::Add { sys::MG_GRAD_REQ_ADD } else { sys::MG_GRAD_REQ_WRITE };
        let reqs: Vec<i32> =
            grads.iter().map(|grad| if grad.is_some() { number } else { sys::MG_GRAD_REQ_NULL }).collect();
        let arg_handles: Vec<_> = args.iter().map(NDArray::handle).collect();
        let aux_handles: Vec<_> = aux.iter().map(NDArray::handle).collect();
        let grad_handles: Vec<_> =
            grads.iter().map(|grad| grad.as_ref().map_or(ptr::null_mut(), NDArray::handle)).collect();
        let arrays = sys::mg_executor_arrays {
            size: std::mem::size_of::<sys::mg_executor_arrays>(),
            num_arguments: args.len() as i32,
            num_auxiliaries: aux.len() as i32,
            arguments: arg_handles.as_ptr(),
            auxiliaries: aux_handles.as_ptr(),
            gradients: grad_handles.as_ptr(),
            grad_reqs: reqs.as_ptr(),
        };
        let mut handle = ptr::null_mut();
        check(unsafe {
            sys::mg_executor_bind(symbol.handle(), &arrays, device.c(), ptr::null(), &mut handle)
        })?;
        Ok(Executor { handle, arguments, auxiliary_states })
    }

    /// Computes the outputs; `training` keeps what `backward` needs.
    pub fn forward(&mut self, training: bool) -> Result<()> {
        check(unsafe { sys::mg_executor_forward(self.handle, i32::from(training)) })
    }
    /// Gradients of the last forward run. `heads`: one per output, or none when the outputs are losses.
    pub fn backward(&mut self, heads: &[&NDArray]) -> Result<()> {
        let handles: Vec<_> = heads.iter().map(|head| head.handle()).collect();
        check(unsafe { sys::mg_executor_backward(self.handle, handles.len() as i32, handles.as_ptr()) })
    }

    fn get(&self, part: i32, index: usize) -> Result<Option<NDArray>> {
        let mut out = ptr::null_mut();
        check(unsafe { sys::mg_executor_get_array(self.handle, part, index as i32, &mut out) })?;
        Ok(if out.is_null() { None } else { Some(NDArray::own(out)) })
    }
    fn dict(&self, part: i32, names: &[String]) -> Result<BTreeMap<String, NDArray>> {
        let mut out = BTreeMap::new();
        for (index, name) in names.iter().enumerate() {
            if let Some(array) = self.get(part, index)? {
                out.insert(name.clone(), array);
            }
        }
        Ok(out)
    }
    /// The same arrays in every run.
    pub fn outputs(&self) -> Result<Vec<NDArray>> {
        let count = unsafe { sys::mg_executor_get_num_outputs(self.handle) } as usize;
        let found: Result<Vec<_>> = (0..count).map(|index| self.get(sys::MG_PART_OUTPUTS, index)).collect();
        Ok(found?.into_iter().flatten().collect())
    }
    /// Arguments by name.
    pub fn arg_dict(&self) -> Result<BTreeMap<String, NDArray>> {
        self.dict(sys::MG_PART_ARGUMENTS, &self.arguments)
    }
    /// Gradients of the arguments that have one.
    pub fn grad_dict(&self) -> Result<BTreeMap<String, NDArray>> {
        self.dict(sys::MG_PART_GRADIENTS, &self.arguments)
    }
    /// Auxiliary states by name.
    pub fn aux_dict(&self) -> Result<BTreeMap<String, NDArray>> {
        self.dict(sys::MG_PART_AUXILIARY_STATES, &self.auxiliary_states)
    }
    /// Copies values in by name ("arg:" and "aux:" before it are taken off); unknown names are an error.
    pub fn copy_params_from(&self, params: &BTreeMap<String, NDArray>) -> Result<()> {
        let (arguments, auxiliary_states) = (self.arg_dict()?, self.aux_dict()?);
        for (key, value) in params {
            let name = key.strip_prefix("arg:").or_else(|| key.strip_prefix("aux:")).unwrap_or(key);
            match arguments.get(name).or_else(|| auxiliary_states.get(name)) {
                Some(target) => value.copy_to(target)?,
                None => {
                    let message = format!("[copy_params_from] the graph has no variable {name}");
                    return Err(Error::new(sys::MG_STATUS_NOT_FOUND, message));
                }
            }
        }
        Ok(())
    }
    /// Nodes, memory plan and totals.
    pub fn debug_str(&self) -> Result<String> {
        let mut text = ptr::null_mut();
        check(unsafe { sys::mg_executor_debug_text(self.handle, &mut text) })?;
        Ok(take_text(text))
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        unsafe { sys::mg_executor_destroy(self.handle) }
    }
}
