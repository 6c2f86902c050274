//! The C header. Written by tools/generate_languages.py: do not edit.
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

#[repr(C)]
pub struct mg_op {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_array {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_array_list {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_kvstore {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_symbol {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_string_list {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_inference {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_executor {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_trace {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_graph {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_file_writer {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_model {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_source {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_record_writer {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_record_reader {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_record_batch {
    _private: [u8; 0],
}

#[repr(C)]
pub struct mg_batches {
    _private: [u8; 0],
}

pub const MG_STATUS_OK: i32 = 0;
pub const MG_STATUS_INVALID_ARGUMENT: i32 = 1;
pub const MG_STATUS_SHAPE: i32 = 2;
pub const MG_STATUS_DTYPE: i32 = 3;
pub const MG_STATUS_INDEX: i32 = 4;
pub const MG_STATUS_OUT_OF_MEMORY: i32 = 5;
pub const MG_STATUS_NOT_FOUND: i32 = 6;
pub const MG_STATUS_IO: i32 = 7;
pub const MG_STATUS_FORMAT: i32 = 8;
pub const MG_STATUS_UNSUPPORTED: i32 = 9;
pub const MG_STATUS_AUTOGRAD: i32 = 10;
pub const MG_STATUS_INTERNAL: i32 = 11;
pub const MG_STATUS_STOPPED: i32 = 12;
pub const MG_DTYPE_FLOAT32: i32 = 0;
pub const MG_DTYPE_FLOAT64: i32 = 1;
pub const MG_DTYPE_FLOAT16: i32 = 2;
pub const MG_DTYPE_UINT8: i32 = 3;
pub const MG_DTYPE_INT32: i32 = 4;
pub const MG_DTYPE_INT8: i32 = 5;
pub const MG_DTYPE_INT64: i32 = 6;
pub const MG_DTYPE_BOOL: i32 = 7;
pub const MG_DTYPE_BFLOAT16: i32 = 12;
pub const MG_DEVICE_CPU: i32 = 1;
pub const MG_DEVICE_GPU: i32 = 2;
pub const MG_DEVICE_CPU_PINNED: i32 = 3;
pub const MG_DEVICE_CPU_SHARED: i32 = 5;
pub const MG_VALUE_NONE: i32 = 0;
pub const MG_VALUE_INTEGER: i32 = 1;
pub const MG_VALUE_REAL: i32 = 2;
pub const MG_VALUE_BOOLEAN: i32 = 3;
pub const MG_VALUE_STRING: i32 = 4;
pub const MG_VALUE_TUPLE: i32 = 5;
pub const MG_ENGINE_SERIAL: i32 = 0;
pub const MG_ENGINE_THREADED: i32 = 1;
pub const MG_STORAGE_DENSE: i32 = 0;
pub const MG_STORAGE_ROW_SPARSE: i32 = 1;
pub const MG_STORAGE_CSR: i32 = 2;
pub const MG_SPARSE_PART_VALUES: i32 = 0;
pub const MG_SPARSE_PART_INDICES: i32 = 1;
pub const MG_SPARSE_PART_STARTS: i32 = 2;
pub const MG_INDEX_AT: i32 = 0;
pub const MG_INDEX_SLICE: i32 = 1;
pub const MG_INDEX_NEW_AXIS: i32 = 2;
pub const MG_INDEX_ELLIPSIS: i32 = 3;
pub const MG_INDEX_ARRAY: i32 = 4;
pub const MG_GRAD_REQ_NULL: i32 = 0;
pub const MG_GRAD_REQ_WRITE: i32 = 1;
pub const MG_GRAD_REQ_ADD: i32 = 3;
pub const MG_MAPPING_NEVER: i32 = 0;
pub const MG_MAPPING_FIXED: i32 = 1;
pub const MG_MAPPING_ALWAYS: i32 = 2;
pub const MG_DAMAGED_RAISE: i32 = 0;
pub const MG_DAMAGED_SKIP: i32 = 1;
pub const MG_PART_ARGUMENTS: i32 = 0;
pub const MG_PART_OUTPUTS: i32 = 1;
pub const MG_PART_AUXILIARY_STATES: i32 = 2;
pub const MG_PART_INPUTS: i32 = 3;
pub const MG_PART_GRADIENTS: i32 = 4;
pub const MG_IMAGE_FORMAT_UNKNOWN: i32 = 0;
pub const MG_IMAGE_FORMAT_JPEG: i32 = 1;
pub const MG_IMAGE_FORMAT_PNG: i32 = 2;
pub const MG_IMAGE_FORMAT_GIF: i32 = 3;
pub const MG_IMAGE_FORMAT_BMP: i32 = 4;
pub const MG_IMAGE_FORMAT_WEBP: i32 = 5;
pub const MG_IMAGE_FORMAT_TIFF: i32 = 6;
pub const MG_IMAGE_FORMAT_PNM: i32 = 7;
pub const MG_BATCHES_PICTURES: i32 = 0;
pub const MG_BATCHES_BOXES: i32 = 1;
pub const MG_BATCHES_RAW: i32 = 2;

functions! {
    fn mg_last_error() -> *const c_char;
    fn mg_warning_set_handler(handler: Option<unsafe extern "C" fn(*const c_char)>) -> mg_status;
    fn mg_version() -> *const c_char;
    fn mg_has_feature(name: *const c_char) -> i32;
    fn mg_onednn_load(path: *const c_char) -> mg_status;
    fn mg_onednn_set_enabled(enabled: i32) -> mg_status;
    fn mg_wait_all() -> mg_status;
    fn mg_wait_idle() -> mg_status;
    fn mg_engine_set_kind(kind: i32) -> mg_status;
    fn mg_engine_get_kind() -> i32;
    fn mg_engine_get_num_threads() -> i32;
    fn mg_engine_set_num_threads(num_threads: i32) -> mg_status;
    fn mg_deterministic_set(on: i32) -> mg_status;
    fn mg_deterministic_get() -> i32;
    fn mg_engine_set_blocking_hooks(
        enter: Option<unsafe extern "C" fn() -> *mut c_void>,
        leave: Option<unsafe extern "C" fn(*mut c_void)>,
    ) -> mg_status;
    fn mg_engine_set_interrupt_hook(
        interrupted: Option<unsafe extern "C" fn() -> i32>,
    ) -> mg_status;
    fn mg_profiler_start() -> mg_status;
    fn mg_profiler_stop() -> mg_status;
    fn mg_profiler_resume() -> mg_status;
    fn mg_profiler_dump(path: *const c_char) -> mg_status;
    fn mg_profiler_trace(text: *mut *mut c_char) -> mg_status;
    fn mg_device_get_num_devices(kind: i32) -> i32;
    fn mg_device_simulate(num_cards: i32, bytes: u64, seed: u64) -> mg_status;
    fn mg_device_check(device: mg_device) -> mg_status;
    fn mg_device_get_current() -> mg_device;
    fn mg_device_set_current(device: mg_device) -> mg_status;
    fn mg_memory_reset_peak(device: mg_device) -> mg_status;
    fn mg_memory_trim(device: mg_device, released: *mut u64) -> mg_status;
    fn mg_memory_set_limit(device: mg_device, bytes: u64) -> mg_status;
    fn mg_memory_set_collector(
        collect: Option<unsafe extern "C" fn(*mut c_void)>,
        context: *mut c_void,
        step: u64,
    ) -> mg_status;
    fn mg_memory_fail_after(n: i64) -> mg_status;
    fn mg_memory_fill_new(byte: i32) -> mg_status;
    fn mg_random_seed(seed: u64) -> mg_status;
    fn mg_random_seed_device(seed: u64, device: mg_device) -> mg_status;
    fn mg_array_create(
        shape: *const i64,
        ndim: i32,
        dtype: i32,
        device: mg_device,
        out: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_array_create_later(
        shape: *const i64,
        ndim: i32,
        dtype: i32,
        device: mg_device,
        out: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_array_create_from(
        data: *const c_void,
        shape: *const i64,
        ndim: i32,
        dtype: i32,
        device: mg_device,
        out: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_array_wrap(
        data: *mut c_void,
        shape: *const i64,
        ndim: i32,
        dtype: i32,
        device: mg_device,
        release: Option<unsafe extern "C" fn(*mut c_void)>,
        context: *mut c_void,
        out: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_array_destroy(array: *mut mg_array);
    fn mg_array_retain(array: *mut mg_array);
    fn mg_array_get_ndim(array: *const mg_array) -> i32;
    fn mg_array_get_shape(array: *const mg_array) -> *const i64;
    fn mg_array_get_size(array: *const mg_array) -> i64;
    fn mg_array_get_dtype(array: *const mg_array) -> i32;
    fn mg_array_get_device(array: *const mg_array) -> mg_device;
    fn mg_array_get_version(array: *const mg_array) -> u64;
    fn mg_array_shares_memory(a: *const mg_array, b: *const mg_array) -> i32;
    fn mg_array_reshape(
        array: *mut mg_array,
        shape: *const i64,
        ndim: i32,
        out: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_shape_resolve(
        shape: *const i64,
        ndim: i32,
        codes: *const i64,
        num_codes: i32,
        reverse: i32,
        out: *mut i64,
        out_ndim: *mut i32,
    ) -> mg_status;
    fn mg_array_slice(
        array: *mut mg_array,
        begin: i64,
        end: i64,
        out: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_array_detach(array: *mut mg_array, out: *mut *mut mg_array) -> mg_status;
    fn mg_array_wait_to_read(array: *mut mg_array) -> mg_status;
    fn mg_array_wait_to_write(array: *mut mg_array) -> mg_status;
    fn mg_array_get_data(array: *mut mg_array, data: *mut *mut c_void) -> mg_status;
    fn mg_array_copy_to(array: *mut mg_array, dst: *mut c_void, bytes: usize) -> mg_status;
    fn mg_array_copy_from(array: *mut mg_array, src: *const c_void, bytes: usize) -> mg_status;
    fn mg_array_share_memory(num_arrays: i32, arrays: *const *mut mg_array) -> mg_status;
    fn mg_array_is_shared(array: *const mg_array) -> i32;
    fn mg_array_get_shared_place(array: *mut mg_array, fd: *mut i32, offset: *mut u64) -> mg_status;
    fn mg_array_attach_shared(
        fd: i32,
        offset: u64,
        shape: *const i64,
        ndim: i32,
        dtype: i32,
        device: mg_device,
        out: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_array_copy(src: *mut mg_array, dst: *mut mg_array) -> mg_status;
    fn mg_array_get_storage(array: *const mg_array) -> i32;
    fn mg_array_create_sparse(
        storage: i32,
        shape: *const i64,
        ndim: i32,
        dtype: i32,
        device: mg_device,
        values: *mut mg_array,
        indices: *mut mg_array,
        starts: *mut mg_array,
        out: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_array_get_part(array: *mut mg_array, part: i32, out: *mut *mut mg_array) -> mg_status;
    fn mg_array_check_sparse(array: *mut mg_array) -> mg_status;
    fn mg_op_get_num_ops() -> i32;
    fn mg_op_get(index: i32) -> *const mg_op;
    fn mg_op_find(name: *const c_char, out: *mut *const mg_op) -> mg_status;
    fn mg_op_get_name(op: *const mg_op) -> *const c_char;
    fn mg_op_get_doc(op: *const mg_op) -> *const c_char;
    fn mg_op_get_origin(op: *const mg_op) -> *const c_char;
    fn mg_op_get_module(op: *const mg_op) -> *const c_char;
    fn mg_op_get_num_aliases(op: *const mg_op) -> i32;
    fn mg_op_get_alias(op: *const mg_op, index: i32) -> *const c_char;
    fn mg_op_get_num_inputs(op: *const mg_op) -> i32;
    fn mg_op_get_input(op: *const mg_op, index: i32, info: *mut mg_port_info) -> mg_status;
    fn mg_op_get_num_params(op: *const mg_op) -> i32;
    fn mg_op_has(op: *const mg_op, property: *const c_char) -> i32;
    fn mg_op_get_num_inputs_param(op: *const mg_op) -> *const c_char;
    fn mg_op_arity(
        op: *const mg_op,
        num_params: i32,
        names: *const *const c_char,
        values: *const mg_value,
        num_inputs: *mut i32,
        num_outputs: *mut i32,
    ) -> mg_status;
    fn mg_op_call(
        op: *const mg_op,
        num_inputs: i32,
        inputs: *const *mut mg_array,
        num_params: i32,
        names: *const *const c_char,
        values: *const mg_value,
        num_outputs: *mut i32,
        outputs: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_autograd_set_recording(on: i32, previous: *mut i32) -> mg_status;
    fn mg_autograd_set_training(on: i32, previous: *mut i32) -> mg_status;
    fn mg_autograd_is_recording() -> i32;
    fn mg_autograd_is_training() -> i32;
    fn mg_array_attach_grad(
        array: *mut mg_array,
        gradient: *mut mg_array,
        grad_req: i32,
    ) -> mg_status;
    fn mg_array_get_grad(array: *mut mg_array, out: *mut *mut mg_array) -> mg_status;
    fn mg_array_is_recorded(array: *const mg_array) -> i32;
    fn mg_array_is_variable(array: *const mg_array) -> i32;
    fn mg_array_is_grad_fresh(array: *const mg_array) -> i32;
    fn mg_array_set_grad_fresh(array: *mut mg_array, fresh: i32) -> mg_status;
    fn mg_array_retain_grad(array: *mut mg_array) -> mg_status;
    fn mg_array_is_grad_retained(array: *const mg_array) -> i32;
    fn mg_array_remove_gradient_hook(array: *mut mg_array, number: u64) -> mg_status;
    fn mg_autograd_backward(
        num_heads: i32,
        heads: *const *mut mg_array,
        head_grads: *const *mut mg_array,
        retain_graph: i32,
        create_graph: i32,
    ) -> mg_status;
    fn mg_autograd_grad(
        num_heads: i32,
        heads: *const *mut mg_array,
        head_grads: *const *mut mg_array,
        num_variables: i32,
        variables: *const *mut mg_array,
        retain_graph: i32,
        create_graph: i32,
        gradients: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_autograd_get_symbol(head: *mut mg_array, out: *mut *mut mg_symbol) -> mg_status;
    fn mg_set_error(message: *const c_char);
    fn mg_files_begin() -> mg_status;
    fn mg_files_commit() -> mg_status;
    fn mg_files_abandon() -> mg_status;
    fn mg_file_write(
        path: *const c_char,
        who: *const c_char,
        data: *const c_void,
        bytes: usize,
    ) -> mg_status;
    fn mg_file_writer_open(
        path: *const c_char,
        who: *const c_char,
        out: *mut *mut mg_file_writer,
    ) -> mg_status;
    fn mg_file_writer_write(
        writer: *mut mg_file_writer,
        data: *const c_void,
        bytes: usize,
    ) -> mg_status;
    fn mg_file_writer_commit(writer: *mut mg_file_writer) -> mg_status;
    fn mg_file_writer_destroy(writer: *mut mg_file_writer);
    fn mg_file_open(path: *const c_char, who: *const c_char, descriptor: *mut i32) -> mg_status;
    fn mg_arrays_save(
        path: *const c_char,
        format: *const c_char,
        num_arrays: i32,
        arrays: *const *mut mg_array,
        names: *const *const c_char,
    ) -> mg_status;
    fn mg_arrays_save_buffer(
        format: *const c_char,
        num_arrays: i32,
        arrays: *const *mut mg_array,
        names: *const *const c_char,
        data: *mut *mut c_void,
        bytes: *mut usize,
    ) -> mg_status;
    fn mg_buffer_destroy(data: *mut c_void);
    fn mg_arrays_load(path: *const c_char, out: *mut *mut mg_array_list) -> mg_status;
    fn mg_arrays_map(path: *const c_char, out: *mut *mut mg_array_list) -> mg_status;
    fn mg_mapping_set(mapping: i32) -> mg_status;
    fn mg_mapping_get() -> i32;
    fn mg_arrays_load_buffer(
        data: *const c_void,
        bytes: usize,
        out: *mut *mut mg_array_list,
    ) -> mg_status;
    fn mg_array_list_get_num_arrays(list: *const mg_array_list) -> i32;
    fn mg_array_list_get(
        list: *const mg_array_list,
        index: i32,
        out: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_array_list_get_name(list: *const mg_array_list, index: i32) -> *const c_char;
    fn mg_array_list_destroy(list: *mut mg_array_list);
    fn mg_model_save(
        path: *const c_char,
        num_texts: i32,
        text_names: *const *const c_char,
        texts: *const *const c_char,
        text_bytes: *const usize,
        num_arrays: i32,
        arrays: *const *mut mg_array,
        array_names: *const *const c_char,
        weights: *const c_char,
    ) -> mg_status;
    fn mg_model_load(path: *const c_char, out: *mut *mut mg_model) -> mg_status;
    fn mg_model_load_buffer(
        data: *const c_void,
        bytes: usize,
        out: *mut *mut mg_model,
    ) -> mg_status;
    fn mg_model_destroy(model: *mut mg_model);
    fn mg_model_get_text(
        model: *const mg_model,
        name: *const c_char,
        text: *mut *const c_char,
        bytes: *mut usize,
    ) -> mg_status;
    fn mg_model_get_num_texts(model: *const mg_model) -> i32;
    fn mg_model_get_text_name(model: *const mg_model, index: i32) -> *const c_char;
    fn mg_model_get_weights(model: *const mg_model) -> *const c_char;
    fn mg_model_get_num_arrays(model: *const mg_model) -> i32;
    fn mg_model_get_array(model: *const mg_model, index: i32, out: *mut *mut mg_array) -> mg_status;
    fn mg_model_get_array_name(model: *const mg_model, index: i32) -> *const c_char;
    fn mg_kvstore_create(type_: *const c_char, out: *mut *mut mg_kvstore) -> mg_status;
    fn mg_kvstore_destroy(store: *mut mg_kvstore);
    fn mg_kvstore_get_type(store: *const mg_kvstore) -> *const c_char;
    fn mg_kvstore_get_rank(store: *const mg_kvstore) -> i32;
    fn mg_kvstore_get_num_workers(store: *const mg_kvstore) -> i32;
    fn mg_kvstore_barrier(store: *mut mg_kvstore) -> mg_status;
    fn mg_kvstore_init(
        store: *mut mg_kvstore,
        num_values: i32,
        keys: *const mg_value,
        values: *const *mut mg_array,
    ) -> mg_status;
    fn mg_kvstore_push(
        store: *mut mg_kvstore,
        num_values: i32,
        keys: *const mg_value,
        values: *const *mut mg_array,
        priority: i32,
    ) -> mg_status;
    fn mg_kvstore_pull(
        store: *mut mg_kvstore,
        num_outs: i32,
        keys: *const mg_value,
        outs: *const *mut mg_array,
        priority: i32,
    ) -> mg_status;
    fn mg_kvstore_push_pull(
        store: *mut mg_kvstore,
        num_values: i32,
        value_keys: *const mg_value,
        values: *const *mut mg_array,
        num_outs: i32,
        out_keys: *const mg_value,
        outs: *const *mut mg_array,
        priority: i32,
    ) -> mg_status;
    fn mg_kvstore_broadcast(
        store: *mut mg_kvstore,
        num_values: i32,
        value_keys: *const mg_value,
        values: *const *mut mg_array,
        num_outs: i32,
        out_keys: *const mg_value,
        outs: *const *mut mg_array,
        priority: i32,
    ) -> mg_status;
    fn mg_kvstore_pull_rows(
        store: *mut mg_kvstore,
        num_outs: i32,
        keys: *const mg_value,
        outs: *const *mut mg_array,
        rows: *const *mut mg_array,
        priority: i32,
    ) -> mg_status;
    fn mg_kvstore_set_updater(
        store: *mut mg_kvstore,
        updater: *const mg_kvstore_updater,
    ) -> mg_status;
    fn mg_kvstore_set_compression(
        store: *mut mg_kvstore,
        num_params: i32,
        names: *const *const c_char,
        values: *const mg_value,
    ) -> mg_status;
    fn mg_kvstore_send_rule(store: *mut mg_kvstore, data: *const c_void, bytes: usize) -> mg_status;
    fn mg_kvstore_get_state(
        store: *mut mg_kvstore,
        key: *const mg_value,
        part: i32,
        num_parts: *mut i32,
        first: *mut i64,
        extent: *mut i64,
        data: *mut *mut c_void,
        bytes: *mut usize,
    ) -> mg_status;
    fn mg_kvstore_set_states(
        store: *mut mg_kvstore,
        num_states: i32,
        keys: *const mg_value,
        parts: *const i32,
        data: *const *const c_void,
        bytes: *const usize,
    ) -> mg_status;
    fn mg_kvstore_get_owner(
        store: *mut mg_kvstore,
        key: *const mg_value,
        owner: *mut i32,
    ) -> mg_status;
    fn mg_kvstore_hand_over(
        store: *mut mg_kvstore,
        from: i32,
        data: *const c_void,
        bytes: usize,
        out: *mut *mut c_void,
        out_bytes: *mut usize,
    ) -> mg_status;
    fn mg_kvstore_get_rounds_done(store: *const mg_kvstore) -> i64;
    fn mg_kvstore_leave(store: *mut mg_kvstore) -> mg_status;
    fn mg_kvstore_end(store: *mut mg_kvstore, at_exit: i32) -> mg_status;
    fn mg_kvstore_abandon(store: *mut mg_kvstore) -> mg_status;
    fn mg_kvstore_make_keys(folder: *const c_char, num_workers: i32, num_servers: i32) -> mg_status;
    fn mg_kvstore_load_transport(path: *const c_char) -> mg_status;
    fn mg_csv_parse(
        text: *const c_char,
        bytes: usize,
        name: *const c_char,
        columns: i64,
        dtype: i32,
        out: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_libsvm_parse(
        text: *const c_char,
        bytes: usize,
        name: *const c_char,
        columns: i64,
        data: *mut *mut mg_array,
        labels: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_libsvm_parse_csr(
        text: *const c_char,
        bytes: usize,
        name: *const c_char,
        columns: i64,
        data: *mut *mut mg_array,
        labels: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_source_open(
        path: *const c_char,
        who: *const c_char,
        out: *mut *mut mg_source,
    ) -> mg_status;
    fn mg_source_destroy(source: *mut mg_source);
    fn mg_source_get_bytes(source: *const mg_source) -> u64;
    fn mg_source_get_name(source: *const mg_source) -> *const c_char;
    fn mg_source_read(
        source: *mut mg_source,
        offset: u64,
        out: *mut c_void,
        bytes: usize,
    ) -> mg_status;
    fn mg_record_writer_open(
        path: *const c_char,
        who: *const c_char,
        out: *mut *mut mg_record_writer,
    ) -> mg_status;
    fn mg_record_writer_destroy(writer: *mut mg_record_writer);
    fn mg_record_writer_write(
        writer: *mut mg_record_writer,
        data: *const c_void,
        bytes: usize,
        offset: *mut u64,
    ) -> mg_status;
    fn mg_record_writer_tell(writer: *const mg_record_writer) -> u64;
    fn mg_record_writer_flush(writer: *mut mg_record_writer) -> mg_status;
    fn mg_record_writer_commit(writer: *mut mg_record_writer) -> mg_status;
    fn mg_record_writer_keep_checksums(writer: *mut mg_record_writer) -> mg_status;
    fn mg_record_writer_get_checksums(
        writer: *const mg_record_writer,
        data: *mut *mut c_void,
        bytes: *mut usize,
    ) -> mg_status;
    fn mg_record_reader_destroy(reader: *mut mg_record_reader);
    fn mg_record_reader_next(
        reader: *mut mg_record_reader,
        offset: *mut u64,
        data: *mut *const c_void,
        bytes: *mut usize,
    ) -> mg_status;
    fn mg_record_reader_read_at(
        reader: *mut mg_record_reader,
        offset: u64,
        data: *mut *const c_void,
        bytes: *mut usize,
    ) -> mg_status;
    fn mg_record_reader_seek(reader: *mut mg_record_reader, offset: u64) -> mg_status;
    fn mg_record_reader_tell(reader: *const mg_record_reader) -> u64;
    fn mg_record_reader_scan(
        reader: *mut mg_record_reader,
        offsets: *mut *mut u64,
        bytes: *mut usize,
    ) -> mg_status;
    fn mg_record_reader_read_batch(
        reader: *mut mg_record_reader,
        num_records: i32,
        offsets: *const u64,
        out: *mut *mut mg_record_batch,
    ) -> mg_status;
    fn mg_record_batch_get(
        batch: *const mg_record_batch,
        index: i32,
        data: *mut *const c_void,
        bytes: *mut usize,
    ) -> mg_status;
    fn mg_record_batch_destroy(batch: *mut mg_record_batch);
    fn mg_string_list_get_num_strings(list: *const mg_string_list) -> i32;
    fn mg_string_list_get(list: *const mg_string_list, index: i32) -> *const c_char;
    fn mg_string_list_destroy(list: *mut mg_string_list);
    fn mg_symbol_create_variable(
        name: *const c_char,
        num_attributes: i32,
        keys: *const *const c_char,
        values: *const *const c_char,
        out: *mut *mut mg_symbol,
    ) -> mg_status;
    fn mg_symbol_call(
        op: *const mg_op,
        name: *const c_char,
        num_inputs: i32,
        input_names: *const *const c_char,
        inputs: *const *const mg_symbol,
        num_params: i32,
        param_names: *const *const c_char,
        params: *const mg_value,
        num_attributes: i32,
        keys: *const *const c_char,
        values: *const *const c_char,
        out: *mut *mut mg_symbol,
    ) -> mg_status;
    fn mg_symbol_group(
        num_symbols: i32,
        symbols: *const *const mg_symbol,
        out: *mut *mut mg_symbol,
    ) -> mg_status;
    fn mg_symbol_compose(
        symbol: *const mg_symbol,
        name: *const c_char,
        num_symbols: i32,
        names: *const *const c_char,
        symbols: *const *const mg_symbol,
        out: *mut *mut mg_symbol,
    ) -> mg_status;
    fn mg_symbol_copy(symbol: *const mg_symbol, out: *mut *mut mg_symbol) -> mg_status;
    fn mg_symbol_destroy(symbol: *mut mg_symbol);
    fn mg_symbol_get_num_outputs(symbol: *const mg_symbol) -> i32;
    fn mg_symbol_get_output(
        symbol: *const mg_symbol,
        index: i32,
        out: *mut *mut mg_symbol,
    ) -> mg_status;
    fn mg_symbol_get_internals(symbol: *const mg_symbol, out: *mut *mut mg_symbol) -> mg_status;
    fn mg_symbol_get_children(symbol: *const mg_symbol, out: *mut *mut mg_symbol) -> mg_status;
    fn mg_symbol_cut(
        symbol: *const mg_symbol,
        key: *const c_char,
        value: *const c_char,
        inner: *mut *mut mg_symbol,
        outer: *mut *mut mg_symbol,
        names: *mut *mut mg_string_list,
    ) -> mg_status;
    fn mg_symbol_get_name(symbol: *const mg_symbol) -> *const c_char;
    fn mg_symbol_list(
        symbol: *const mg_symbol,
        part: i32,
        out: *mut *mut mg_string_list,
    ) -> mg_status;
    fn mg_symbol_get_attribute(
        symbol: *mut mg_symbol,
        key: *const c_char,
        value: *mut *const c_char,
    ) -> mg_status;
    fn mg_symbol_set_attribute(
        symbol: *mut mg_symbol,
        key: *const c_char,
        value: *const c_char,
    ) -> mg_status;
    fn mg_symbol_list_attributes(
        symbol: *const mg_symbol,
        out: *mut *mut mg_string_list,
    ) -> mg_status;
    fn mg_symbol_list_all_attributes(
        symbol: *const mg_symbol,
        out: *mut *mut mg_string_list,
    ) -> mg_status;
    fn mg_symbol_infer(
        symbol: *const mg_symbol,
        num_known: i32,
        names: *const *const c_char,
        ndims: *const i32,
        shapes: *const *const i64,
        dtypes: *const i32,
        out: *mut *mut mg_inference,
    ) -> mg_status;
    fn mg_symbol_infer_arrays(
        symbol: *const mg_symbol,
        num_known: i32,
        names: *const *const c_char,
        ndims: *const i32,
        shapes: *const *const i64,
        dtypes: *const i32,
        out: *mut *mut mg_inference,
    ) -> mg_status;
    fn mg_inference_list(
        inference: *const mg_inference,
        part: i32,
        out: *mut *mut mg_string_list,
    ) -> mg_status;
    fn mg_inference_get_shape(
        inference: *const mg_inference,
        part: i32,
        index: i32,
        ndim: *mut i32,
        extents: *mut *const i64,
    ) -> mg_status;
    fn mg_inference_get_dtype(
        inference: *const mg_inference,
        part: i32,
        index: i32,
        dtype: *mut i32,
    ) -> mg_status;
    fn mg_inference_has_shapes(inference: *const mg_inference) -> i32;
    fn mg_inference_has_dtypes(inference: *const mg_inference) -> i32;
    fn mg_inference_list_storages(
        inference: *const mg_inference,
        part: i32,
        num_known: i32,
        names: *const *const c_char,
        storages: *const i32,
        out: *mut i32,
    ) -> mg_status;
    fn mg_inference_destroy(inference: *mut mg_inference);
    fn mg_symbol_to_json(symbol: *const mg_symbol, text: *mut *mut c_char) -> mg_status;
    fn mg_symbol_from_json(
        text: *const c_char,
        bytes: usize,
        source: *const c_char,
        out: *mut *mut mg_symbol,
    ) -> mg_status;
    fn mg_symbol_save(symbol: *const mg_symbol, path: *const c_char) -> mg_status;
    fn mg_symbol_load(path: *const c_char, out: *mut *mut mg_symbol) -> mg_status;
    fn mg_symbol_debug_text(symbol: *const mg_symbol, text: *mut *mut c_char) -> mg_status;
    fn mg_symbol_dump_graph(
        symbol: *const mg_symbol,
        num_known: i32,
        names: *const *const c_char,
        ndims: *const i32,
        shapes: *const *const i64,
        dtypes: *const i32,
        gradients: i32,
        passes: *const c_char,
        text: *mut *mut c_char,
    ) -> mg_status;
    fn mg_passes_resolve(switches: *const c_char, names: *mut *mut c_char) -> mg_status;
    fn mg_recompute_resolve(setting: *const c_char, resolved: *mut *mut c_char) -> mg_status;
    fn mg_symbol_place(
        symbol: *const mg_symbol,
        device: mg_device,
        num_groups: i32,
        group_names: *const *const c_char,
        group_devices: *const mg_device,
        part: i32,
        out: *mut mg_device,
    ) -> mg_status;
    fn mg_executor_bind(
        symbol: *const mg_symbol,
        arrays: *const mg_executor_arrays,
        device: mg_device,
        options: *const mg_executor_options,
        out: *mut *mut mg_executor,
    ) -> mg_status;
    fn mg_inference_bind(
        inference: *mut mg_inference,
        arrays: *const mg_executor_arrays,
        device: mg_device,
        options: *const mg_executor_options,
        out: *mut *mut mg_executor,
    ) -> mg_status;
    fn mg_executor_destroy(executor: *mut mg_executor);
    fn mg_executor_forward(executor: *mut mg_executor, training: i32) -> mg_status;
    fn mg_executor_backward(
        executor: *mut mg_executor,
        num_head_gradients: i32,
        head_gradients: *const *mut mg_array,
    ) -> mg_status;
    fn mg_executor_set_updates(
        executor: *mut mg_executor,
        num_updates: i32,
        updates: *const *const mg_executor_update,
    ) -> mg_status;
    fn mg_executor_set_rates(
        executor: *mut mg_executor,
        num_updates: i32,
        learning_rates: *const f64,
        weight_decays: *const f64,
    ) -> mg_status;
    fn mg_executor_get_num_outputs(executor: *const mg_executor) -> i32;
    fn mg_executor_get_array(
        executor: *mut mg_executor,
        part: i32,
        index: i32,
        out: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_executor_set_array(
        executor: *mut mg_executor,
        part: i32,
        index: i32,
        array: *mut mg_array,
    ) -> mg_status;
    fn mg_executor_reshape(
        executor: *const mg_executor,
        num_shapes: i32,
        names: *const *const c_char,
        ndims: *const i32,
        shapes: *const *const i64,
        partial_shaping: i32,
        allow_up_sizing: i32,
        out: *mut *mut mg_executor,
    ) -> mg_status;
    fn mg_executor_get_planned(
        executor: *mut mg_executor,
        training: i32,
        bytes: *mut u64,
        least_bytes: *mut u64,
    ) -> mg_status;
    fn mg_executor_debug_text(executor: *mut mg_executor, text: *mut *mut c_char) -> mg_status;
    fn mg_trace_begin(
        num_inputs: i32,
        inputs: *const *mut mg_array,
        out: *mut *mut mg_trace,
    ) -> mg_status;
    fn mg_trace_is_active() -> i32;
    fn mg_trace_end(
        trace: *mut mg_trace,
        num_outputs: i32,
        outputs: *const *mut mg_array,
        out: *mut *mut mg_symbol,
    ) -> mg_status;
    fn mg_trace_get_num_captured(trace: *const mg_trace) -> i32;
    fn mg_trace_get_captured(
        trace: *const mg_trace,
        index: i32,
        out: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_trace_destroy(trace: *mut mg_trace);
    fn mg_graph_destroy(graph: *mut mg_graph);
    fn mg_graph_get_num_inputs(graph: *const mg_graph) -> i32;
    fn mg_graph_get_num_outputs(graph: *const mg_graph) -> i32;
    fn mg_graph_call(
        graph: *mut mg_graph,
        num_inputs: i32,
        inputs: *const *mut mg_array,
        num_outputs: i32,
        outputs: *mut *mut mg_array,
    ) -> mg_status;
    fn mg_image_set_most_pixels(pixels: u64) -> mg_status;
    fn mg_image_get_most_pixels() -> u64;
    fn mg_image_load_jpeg(path: *const c_char) -> mg_status;
    fn mg_image_unfilter_png(
        lines: *const c_void,
        rows: usize,
        row_bytes: usize,
        pixel_bytes: i32,
        out: *mut c_void,
    ) -> mg_status;
    fn mg_batches_destroy(batches: *mut mg_batches);
    fn mg_batches_get_label_width(batches: *const mg_batches) -> i64;
    fn mg_batches_next(
        batches: *mut mg_batches,
        data: *mut *mut mg_array,
        labels: *mut *mut mg_array,
        pad: *mut i64,
        ids: *mut u64,
    ) -> mg_status;
    fn mg_batches_reset(batches: *mut mg_batches) -> mg_status;
}
