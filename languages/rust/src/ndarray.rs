//! Dense arrays.

use crate::error::check;
use crate::operator::{Operand, Params};
use crate::{sys, Error, Result};
use std::ptr;

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[repr(i32)]
pub enum DType {
    Float32 = sys::MG_DTYPE_FLOAT32,
    Float64 = sys::MG_DTYPE_FLOAT64,
    Float16 = sys::MG_DTYPE_FLOAT16,
    UInt8 = sys::MG_DTYPE_UINT8,
    Int32 = sys::MG_DTYPE_INT32,
    Int8 = sys::MG_DTYPE_INT8,
    Int64 = sys::MG_DTYPE_INT64,
    Bool = sys::MG_DTYPE_BOOL,
    BFloat16 = sys::MG_DTYPE_BFLOAT16,
}

impl DType {
    const ALL: [(DType, &'static str); 9] = [
        (DType::Float32, "float32"),
        (DType::Float64, "float64"),
        (DType::Float16, "float16"),
        (DType::UInt8, "uint8"),
        (DType::Int32, "int32"),
        (DType::Int8, "int8"),
        (DType::Int64, "int64"),
        (DType::Bool, "bool"),
        (DType::BFloat16, "bfloat16"),
    ];
    /// Its name in Python and in files.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(dtype, _)| *dtype == self).expect("all are listed").1
    }
    fn from_number(number: i32) -> DType {
        let found = Self::ALL.iter().find(|(dtype, _)| *dtype as i32 == number);
        found.expect("the header has no other dtypes").0
    }
}

/// A Rust type whose values are elements of an array.
pub trait Element: Copy + Default {
    /// The dtype of such arrays.
    const DTYPE: DType;
}
macro_rules! element {
    ($($kind:ty => $dtype:ident),*) => {
        $(impl Element for $kind {
            const DTYPE: DType = DType::$dtype;
        })*
    };
}
element!(f32 => Float32, f64 => Float64, u8 => UInt8, i8 => Int8, i32 => Int32, i64 => Int64);

/// Where an array lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Device {
    Cpu(i32),
    Gpu(i32),
}

impl Device {
    pub(crate) fn c(self) -> sys::mg_device {
        match self {
            Device::Cpu(id) => sys::mg_device { kind: sys::MG_DEVICE_CPU, id },
            Device::Gpu(id) => sys::mg_device { kind: sys::MG_DEVICE_GPU, id },
        }
    }
}

/// A dense array whose values may still be on their way.
pub struct NDArray(*mut sys::mg_array);

impl NDArray {
    pub(crate) fn own(handle: *mut sys::mg_array) -> NDArray {
        NDArray(handle)
    }
    pub(crate) fn handle(&self) -> *mut sys::mg_array {
        self.0
    }
    fn made(make: impl FnOnce(&mut *mut sys::mg_array) -> sys::mg_status) -> Result<NDArray> {
        let mut out = ptr::null_mut();
        check(make(&mut out))?;
        Ok(NDArray(out))
    }

    /// Values undefined.
    pub fn empty(shape: &[i64], dtype: DType, device: Device) -> Result<NDArray> {
        Self::made(|out| unsafe {
            sys::mg_array_create(shape.as_ptr(), shape.len() as i32, dtype as i32, device.c(), out)
        })
    }
    /// All elements alike, on the CPU.
    pub fn full<T: Element>(value: T, shape: &[i64]) -> Result<NDArray> {
        let out = Self::empty(shape, T::DTYPE, Device::Cpu(0))?;
        out.copy_from(&vec![value; out.size()])?;
        Ok(out)
    }
    /// Values in row-major order, on the CPU; their number must be the shape's.
    pub fn from_slice<T: Element>(values: &[T], shape: &[i64]) -> Result<NDArray> {
        let out = Self::empty(shape, T::DTYPE, Device::Cpu(0))?;
        out.copy_from(values)?;
        Ok(out)
    }

    /// Extents.
    pub fn shape(&self) -> Vec<i64> {
        unsafe {
            let ndim = sys::mg_array_get_ndim(self.0) as usize;
            if ndim == 0 {
                return Vec::new();
            }
            std::slice::from_raw_parts(sys::mg_array_get_shape(self.0), ndim).to_vec()
        }
    }
    /// Elements.
    pub fn size(&self) -> usize {
        unsafe { sys::mg_array_get_size(self.0) as usize }
    }
    /// What an element is.
    pub fn dtype(&self) -> DType {
        DType::from_number(unsafe { sys::mg_array_get_dtype(self.0) })
    }
    /// The same memory under another shape.
    pub fn reshape(&self, shape: &[i64]) -> Result<NDArray> {
        Self::made(|out| unsafe { sys::mg_array_reshape(self.0, shape.as_ptr(), shape.len() as i32, out) })
    }
    /// Rows begin to end, sharing memory.
    pub fn slice(&self, begin: i64, end: i64) -> Result<NDArray> {
        Self::made(|out| unsafe { sys::mg_array_slice(self.0, begin, end, out) })
    }
    /// The same values without their history.
    pub fn detach(&self) -> Result<NDArray> {
        Self::made(|out| unsafe { sys::mg_array_detach(self.0, out) })
    }

    /// The values in row-major order. Blocks.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.need_dtype(T::DTYPE, "to_vec")?;
        let mut out = vec![T::default(); self.size()];
        let bytes = std::mem::size_of_val(out.as_slice());
        check(unsafe { sys::mg_array_copy_to(self.0, out.as_mut_ptr().cast(), bytes) })?;
        Ok(out)
    }
    /// The one element. Blocks.
    pub fn scalar<T: Element>(&self) -> Result<T> {
        if self.size() != 1 {
            let message = format!("[scalar] expected an array of one element, got {}", self.size());
            return Err(Error::new(sys::MG_STATUS_SHAPE, message));
        }
        Ok(self.to_vec()?[0])
    }
    /// Overwrites all values. Blocks.
    pub fn copy_from<T: Element>(&self, values: &[T]) -> Result<()> {
        self.need_dtype(T::DTYPE, "copy_from")?;
        if values.len() != self.size() {
            let message = format!("[copy_from] expected {} values, got {}", self.size(), values.len());
            return Err(Error::new(sys::MG_STATUS_SHAPE, message));
        }
        check(unsafe {
            sys::mg_array_copy_from(self.0, values.as_ptr().cast(), std::mem::size_of_val(values))
        })
    }
    /// Writes into another array of the same shape, across devices and dtypes.
    pub fn copy_to(&self, target: &NDArray) -> Result<()> {
        check(unsafe { sys::mg_array_copy(self.0, target.0) })
    }
    fn need_dtype(&self, wanted: DType, what: &str) -> Result<()> {
        let held = self.dtype();
        if held == wanted || (held == DType::Bool && wanted == DType::UInt8) {
            return Ok(());
        }
        let (held, wanted) = (held.name(), wanted.name());
        let message = format!("[{what}] the array holds {held}, the program's values are {wanted}");
        Err(Error::new(sys::MG_STATUS_DTYPE, message))
    }

    /// Makes this a variable: `backward` writes its gradient into `grad`.
    pub fn attach_grad(&self) -> Result<()> {
        check(unsafe { sys::mg_array_attach_grad(self.0, ptr::null_mut(), sys::MG_GRAD_REQ_WRITE) })
    }
    /// The gradient's array, if this is a variable.
    pub fn grad(&self) -> Result<Option<NDArray>> {
        let mut out = ptr::null_mut();
        check(unsafe { sys::mg_array_get_grad(self.0, &mut out) })?;
        Ok(if out.is_null() { None } else { Some(NDArray(out)) })
    }
    /// Gradients of this, with ones as its own, into the variables it was computed from.
    pub fn backward(&self) -> Result<()> {
        let head = self.0;
        check(unsafe { sys::mg_autograd_backward(1, &head, ptr::null(), 0, 0) })
    }
}

impl Clone for NDArray {
    fn clone(&self) -> Self {
        unsafe { sys::mg_array_retain(self.0) };
        NDArray(self.0)
    }
}

impl Drop for NDArray {
    fn drop(&mut self) {
        unsafe { sys::mg_array_destroy(self.0) }
    }
}

impl std::fmt::Debug for NDArray {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NDArray({:?}, {})", self.shape(), self.dtype().name())
    }
}

// Operators panic where their inputs do not fit together, as indexing does; `ops` has functions that return the error.
macro_rules! arithmetic {
    ($trait:ident, $function:ident, $arrays:literal, $scalar:literal, $reverse:literal) => {
        impl std::ops::$trait<&NDArray> for &NDArray {
            type Output = NDArray;
            fn $function(self, other: &NDArray) -> NDArray {
                NDArray::apply_one($arrays, &[Some(self), Some(other)], &Params::new())
                    .unwrap_or_else(|error| panic!("{error}"))
            }
        }
        impl std::ops::$trait<f64> for &NDArray {
            type Output = NDArray;
            fn $function(self, scalar: f64) -> NDArray {
                NDArray::apply_one($scalar, &[Some(self)], &Params::new().with("scalar", scalar))
                    .unwrap_or_else(|error| panic!("{error}"))
            }
        }
        impl std::ops::$trait<&NDArray> for f64 {
            type Output = NDArray;
            fn $function(self, array: &NDArray) -> NDArray {
                NDArray::apply_one($reverse, &[Some(array)], &Params::new().with("scalar", self))
                    .unwrap_or_else(|error| panic!("{error}"))
            }
        }
    };
}
arithmetic!(Add, add, "broadcast_add", "_plus_scalar", "_plus_scalar");
arithmetic!(Sub, sub, "broadcast_sub", "_minus_scalar", "_rminus_scalar");
arithmetic!(Mul, mul, "broadcast_mul", "_mul_scalar", "_mul_scalar");
arithmetic!(Div, div, "broadcast_div", "_div_scalar", "_rdiv_scalar");
