//! Parameters of operators.

use crate::{sys, DType};
use std::ffi::CString;

/// A parameter's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Python's None.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Real(f64),
    /// Text.
    Text(String),
    /// Several integers.
    Ints(Vec<i64>),
    /// Several floating-point numbers.
    Reals(Vec<f64>),
}

macro_rules! value_from {
    ($($kind:ty => $variant:ident),*) => {
        $(impl From<$kind> for Value {
            fn from(value: $kind) -> Self {
                Value::$variant(value)
            }
        })*
    };
}
value_from!(bool => Bool, i64 => Int, f64 => Real, String => Text, Vec<i64> => Ints, Vec<f64> => Reals);

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.to_owned())
    }
}
impl From<DType> for Value {
    fn from(value: DType) -> Self {
        Value::Text(value.name().to_owned())
    }
}

fn plain(kind: i32, as_: sys::mg_value_union) -> sys::mg_value {
    sys::mg_value { kind, num_items: 0, as_ }
}

/// A value as the C header takes it, with the memory it points to.
pub(crate) struct Lent {
    pub(crate) value: sys::mg_value,
    _text: Option<CString>,
    _items: Vec<sys::mg_value>,
}

/// Text for C; it ends at a zero character.
pub(crate) fn c_text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).expect("no zero character is left")
}

impl Lent {
    pub(crate) fn new(value: &Value) -> Self {
        let integer = |kind, number| plain(kind, sys::mg_value_union { integer: number });
        let real = |number| plain(sys::MG_VALUE_REAL, sys::mg_value_union { real: number });
        let mut text = None;
        let mut items = Vec::new();
        let lent = match value {
            Value::None => integer(sys::MG_VALUE_NONE, 0),
            Value::Bool(truth) => integer(sys::MG_VALUE_BOOLEAN, i64::from(*truth)),
            Value::Int(number) => integer(sys::MG_VALUE_INTEGER, *number),
            Value::Real(number) => real(*number),
            Value::Text(given) => {
                let owned = text.insert(c_text(given));
                plain(sys::MG_VALUE_STRING, sys::mg_value_union { string: owned.as_ptr() })
            }
            Value::Ints(numbers) => {
                items.extend(numbers.iter().map(|number| integer(sys::MG_VALUE_INTEGER, *number)));
                plain(sys::MG_VALUE_TUPLE, sys::mg_value_union { items: items.as_ptr() })
            }
            Value::Reals(numbers) => {
                items.extend(numbers.iter().map(|number| real(*number)));
                plain(sys::MG_VALUE_TUPLE, sys::mg_value_union { items: items.as_ptr() })
            }
        };
        // Moving the vector and the string leaves what they point to where it is.
        let value = sys::mg_value { num_items: items.len() as i32, ..lent };
        Lent { value, _text: text, _items: items }
    }
}
