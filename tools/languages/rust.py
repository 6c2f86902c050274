"""languages/rust/src/sys.rs, the C header, and src/ops.rs, a type with a builder per operator."""

from __future__ import annotations

import re

from languages.header import Header
from languages.registry import Op, Param, camel, comment, described

_SYS_HEADER = """//! The C header. Written by tools/generate_languages.py: do not edit.
#![allow(missing_docs)]

use crate::library::functions;
use std::os::raw::{c_char, c_void};

pub type mg_status = i32;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct mg_device {
    pub kind: i32,
    pub id: i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union mg_value_union {
    pub integer: i64,
    pub real: f64,
    pub string: *const c_char,
    pub items: *const mg_value,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct mg_value {
    pub kind: i32,
    pub num_items: i32,
    pub as_: mg_value_union,
}

#[repr(C)]
pub struct mg_port_info {
    pub size: usize,
    pub name: *const c_char,
    pub doc: *const c_char,
    pub mutates: i32,
    pub auxiliary: i32,
    pub variadic: i32,
}

#[repr(C)]
pub struct mg_executor_arrays {
    pub size: usize,
    pub num_arguments: i32,
    pub num_auxiliaries: i32,
    pub arguments: *const *mut mg_array,
    pub auxiliaries: *const *mut mg_array,
    pub gradients: *const *mut mg_array,
    pub grad_reqs: *const i32,
}

#[repr(C)]
pub struct mg_executor_options {
    pub size: usize,
    pub shared: *mut mg_executor,
    pub passes: *const c_char,
    pub recompute: *const c_char,
    pub num_groups: i32,
    pub group_names: *const *const c_char,
    pub group_devices: *const mg_device,
}

#[repr(C)]
pub struct mg_executor_update {
    pub size: usize,
    pub argument: i32,
    pub num_states: i32,
    pub op: *const mg_op,
    pub states: *const *mut mg_array,
    pub num_params: i32,
    pub param_names: *const *const c_char,
    pub params: *const mg_value,
}

#[repr(C)]
pub struct mg_kvstore_updater {
    pub size: usize,
    pub context: *mut c_void,
    pub update: Option<
        unsafe extern "C" fn(*mut c_void, *const mg_value, *mut mg_array, *mut mg_array) -> mg_status,
    >,
    pub release: Option<unsafe extern "C" fn(*mut c_void)>,
}
"""
_SCALARS = {"int32_t": "i32", "int64_t": "i64", "uint64_t": "u64", "size_t": "usize", "char": "c_char"}
_SCALARS |= {"void": "c_void", "double": "f64", "mg_status": "mg_status"}
# Structs written above; functions over others are left out.
_STRUCTS = {"mg_device", "mg_value", "mg_port_info", "mg_executor_arrays"}
_STRUCTS |= {"mg_executor_options", "mg_executor_update", "mg_kvstore_updater"}


def _type(text: str, known: set[str]) -> str:
    """A C type in Rust; ValueError when it has no translation here."""
    if callback := re.fullmatch(r"(.+)\(\*\)\((.*)\)", text):
        given = [part.strip() for part in callback[2].split(",") if part.strip() != "void"]
        types = ", ".join(_type(re.sub(r"\s*\b(?!void\b)\w+$", "", part), known) for part in given)
        result = "" if callback[1] == "void" else f" -> {_type(callback[1], known)}"
        return f'Option<unsafe extern "C" fn({types}){result}>'
    base, *pointers = re.split(r"(?=\*)", text)
    words = base.split()
    name = words[-1]
    if name == "const":
        name = words[-2]
    if name not in _SCALARS and name not in known:
        raise ValueError(text)
    rust = _SCALARS.get(name, name)
    constant = "const" in words
    for pointer in pointers:
        rust = f"*{'const' if constant else 'mut'} {rust}"
        constant = "const" in pointer
    return rust


def write_sys(header: Header) -> str:
    text = _SYS_HEADER
    known = set(header.handles) | _STRUCTS
    for handle in header.handles:
        text += f"\n#[repr(C)]\npub struct {handle} {{\n    _private: [u8; 0],\n}}\n"
    text += "\n" + "".join(f"pub const {name}: i32 = {value};\n" for name, value in header.constants)
    text += "\nfunctions! {\n"
    for function in header.functions:
        try:
            parts = [f"{_word(a.name)}: {_type(a.type, known)}" for a in function.arguments]
            result = "" if function.result == "void" else f" -> {_type(function.result, known)}"
        except ValueError:
            continue
        line = f"    fn {function.name}({', '.join(parts)}){result};\n"
        if len(line) > 101:
            parts = [f"        {part},\n" for part in parts]
            line = f"    fn {function.name}(\n{''.join(parts)}    ){result};\n"
        text += line
    return text + "}\n"


_OPS_HEADER = """//! Operators. Written by tools/generate_languages.py: do not edit.
//!
//! Each type holds the parameters of one operator; `call` applies it to arrays or to symbols. Inputs given as
//! `None` are absent (arrays) or become variables (symbols).

use crate::operator::{Operand, Params};
use crate::{DType, NDArray, Result, Symbol};
"""
_KEYWORDS = frozenset(
    {"as", "box", "final", "in", "loop", "match", "mod", "move", "ref", "self", "type", "use"}
)
_KINDS = {"bool": "bool", "int": "i64", "float": "f64", "dtype": "DType"}
_INTO = {"str": "String", "ints": "Vec<i64>", "floats": "Vec<f64>"}


def _word(name: str) -> str:
    return name + "_" if name in _KEYWORDS else name


def _doc(text: str, prefix: str) -> str:
    # Brackets would be links of rustdoc.
    return comment(re.sub(r"([\[\]<>])", r"\\\1", text), prefix, 100)


def _setter(param: Param) -> str:
    if param.kind in _INTO:
        argument, value = f"impl Into<{_INTO[param.kind]}>", "value.into()"
    else:
        argument, value = _KINDS[param.kind], "value"
    name = _word(param.name)
    if name in {"new", "call", "name", "node", "array"}:
        name += "_"
    return (
        _doc(described(param), "    /// ")
        + f"    pub fn {name}(mut self, value: {argument}) -> Self {{\n"
        + f'        self.0.set("{param.name}", {value});\n        self\n    }}\n\n'
    )


def _call(op: Op) -> str:
    registered = f'"{op.registered}"'
    one = op.single_output
    if not op.inputs:
        return (
            f"    /// An array.\n    pub fn array(&self) -> Result<NDArray> {{\n"
            f"        NDArray::apply_one({registered}, &[], &self.0)\n    }}\n\n"
            f"    /// A node of a graph.\n    pub fn node(&self) -> Result<Symbol> {{\n"
            f"        Symbol::apply_one({registered}, &[], &self.0)\n    }}\n"
        )
    text = "".join(_doc(f"* `{name}`: {doc}", "    /// ") for name, doc in op.inputs)
    result, apply = ("T", "apply_one") if one else ("T::Several", "apply")
    if op.variadic:
        name = _word(op.inputs[0][0])
        text += f"    pub fn call<T: Operand>(&self, {name}: &[&T]) -> Result<{result}> {{\n"
        inputs = f"        let inputs: Vec<Option<&T>> = {name}.iter().copied().map(Some).collect();\n"
        return text + inputs + f"        T::{apply}({registered}, &inputs, &self.0)\n    }}\n"
    names = [_word(name) for name, _ in op.inputs]
    kinds = ["&'a T", *["impl Into<Option<&'a T>>"] * (len(names) - 1)]
    arguments = [f"{name}: {kind}" for name, kind in zip(names, kinds)]
    lines = "".join(f"        {argument},\n" for argument in ["&self", *arguments])
    text += "    #[allow(clippy::too_many_arguments)]\n"
    text += f"    pub fn call<'a, T: Operand>(\n{lines}    ) -> Result<{result}> {{\n"
    given = [f"Some({names[0]})", *[f"{n}.into()" for n in names[1:]]]
    return text + f"        T::{apply}({registered}, &[{', '.join(given)}], &self.0)\n    }}\n"


def _operator(op: Op, name: str) -> str:
    text = "\n" + _doc(op.doc, "/// ")
    if op.origin:
        text += "///\n" + _doc(f"Source: {op.origin}.", "/// ")
    text += f"#[derive(Clone, Debug, Default)]\npub struct {name}(Params);\n\nimpl {name} {{\n"
    text += "    /// All parameters at their defaults.\n"
    text += "    pub fn new() -> Self {\n        Self::default()\n    }\n\n"
    text += "    /// The name of the node, on symbols.\n    pub fn name(mut self, value: &str) -> Self {\n"
    text += "        self.0.name_node(value);\n        self\n    }\n\n"
    return text + "".join(_setter(param) for param in op.params) + _call(op) + "}\n"


def write_ops(ops: list[Op]) -> str:
    taken: dict[str, int] = {}
    texts = []
    for op in ops:
        number = taken[camel(op.name)] = taken.get(camel(op.name), 0) + 1
        texts.append(_operator(op, camel(op.name) + (str(number) if number > 1 else "")))
    return _OPS_HEADER + "".join(texts)
