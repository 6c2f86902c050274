// Dense arrays, and files of them.
import { Handle } from "./calls.js";

const DTYPES = {
  float32: [0, Float32Array],
  float64: [1, Float64Array],
  float16: [2, Uint16Array],
  uint8: [3, Uint8Array],
  int32: [4, Int32Array],
  int8: [5, Int8Array],
  int64: [6, BigInt64Array],
  bool: [7, Uint8Array],
  bfloat16: [12, Uint16Array],
};
const MG_DEVICE_CPU = 1;
const GRAD_REQS = { null: 0, write: 1, add: 3 };

const sizeOf = (shape) => shape.reduce((product, extent) => product * extent, 1);

function typeOf(dtype) {
  if (!(dtype in DTYPES)) {
    throw new TypeError(`[NDArray] dtype ${dtype}; expected one of ${Object.keys(DTYPES).join(", ")}`);
  }
  return DTYPES[dtype];
}

/** The class of one instance of the module, with what loads and saves its arrays. */
export function arrays(calls) {
  class NDArray extends Handle {
    constructor(handle) {
      super(calls, handle, "mg_array_destroy");
    }

    static from(values, shape, dtype = "float32") {
      const [number, Type] = typeOf(dtype);
      const typed = values instanceof Type ? values : Type.from(values);
      const extents = shape ?? [typed.length];
      if (sizeOf(extents) !== typed.length) {
        const list = extents.join(", ");
        throw new RangeError(`[NDArray] shape (${list}) has ${sizeOf(extents)} elements, got ${typed.length} values`);
      }
      return calls.within((memory, call) => {
        const out = memory.room();
        const device = memory.uint32s([MG_DEVICE_CPU, 0]);
        call("mg_array_create_from", memory.copy(typed), memory.shape(extents), extents.length, number, device, out);
        return new NDArray(memory.uint32(out));
      });
    }

    static zeros(shape, dtype = "float32") {
      return NDArray.from(new (typeOf(dtype)[1])(sizeOf(shape)), shape, dtype);
    }

    get shape() {
      return calls.within((memory) => {
        const ndim = calls.run("mg_array_get_ndim", this.handle);
        return memory.extents(calls.run("mg_array_get_shape", this.handle), ndim);
      });
    }

    get size() {
      return sizeOf(this.shape);
    }

    get dtype() {
      const number = calls.run("mg_array_get_dtype", this.handle);
      return Object.keys(DTYPES).find((name) => DTYPES[name][0] === number);
    }

    toArray() {
      const Type = DTYPES[this.dtype][1];
      return calls.within((memory, call) => {
        const at = memory.room();
        call("mg_array_get_data", this.handle, at);
        const first = memory.uint32(at);
        return new Type(calls.wasm.HEAPU8.slice(first, first + this.size * Type.BYTES_PER_ELEMENT).buffer);
      });
    }

    set(values) {
      const Type = DTYPES[this.dtype][1];
      const typed = values instanceof Type ? values : Type.from(values);
      if (typed.length !== this.size) throw new RangeError(`[set] expected ${this.size} values, got ${typed.length}`);
      calls.within((memory, call) => call("mg_array_copy_from", this.handle, memory.copy(typed), typed.byteLength));
    }

    #made(name, ...args) {
      return calls.within((memory, call) => {
        const out = memory.room();
        call(name, this.handle, ...args, out);
        return memory.uint32(out) ? new NDArray(memory.uint32(out)) : null;
      });
    }

    reshape(...wanted) {
      const known = wanted.filter((extent) => extent !== -1).reduce((product, extent) => product * extent, 1);
      const shape = wanted.map((extent) => (extent === -1 && known > 0 ? Math.floor(this.size / known) : extent));
      return calls.within((memory) => this.#made("mg_array_reshape", memory.shape(shape), shape.length));
    }

    slice(begin, end = this.shape[0]) {
      return this.#made("mg_array_slice", BigInt(begin), BigInt(end));
    }

    copyTo(target) {
      calls.within((memory, call) => call("mg_array_copy", this.handle, target.handle));
    }

    attachGrad(request = "write") {
      if (!(request in GRAD_REQS)) throw new TypeError(`[attachGrad] ${request}; expected null, write or add`);
      calls.within((memory, call) => call("mg_array_attach_grad", this.handle, 0, GRAD_REQS[request]));
    }

    get grad() {
      return this.#made("mg_array_get_grad");
    }

    backward() {
      const heads = (memory) => memory.pointers([this.handle]);
      calls.within((memory, call) => call("mg_autograd_backward", 1, heads(memory), 0, 0, 0));
    }
  }

  /** Arrays by name, of a list that is given back. */
  function listed(memory, call, list) {
    const [found, out] = [{}, memory.room()];
    try {
      for (let i = 0; i < calls.run("mg_array_list_get_num_arrays", list); ++i) {
        call("mg_array_list_get", list, i, out);
        const name = calls.run("mg_array_list_get_name", list, i);
        if (memory.uint32(out) !== 0) found[name ? memory.read(name) : String(i)] = new NDArray(memory.uint32(out));
      }
      return found;
    } finally {
      calls.run("mg_array_list_destroy", list);
    }
  }

  function loadArrays(bytes) {
    return calls.within((memory, call) => {
      const out = memory.room();
      call("mg_arrays_load_buffer", memory.copy(new Uint8Array(bytes)), bytes.byteLength, out);
      return listed(memory, call, memory.uint32(out));
    });
  }

  function saveArrays(named) {
    return calls.within((memory, call) => {
      const handles = memory.pointers(Object.values(named).map((array) => array.handle));
      const [data, bytes] = [memory.room(), memory.room()];
      const names = memory.texts(Object.keys(named));
      call("mg_arrays_save_buffer", memory.text("params"), Object.keys(named).length, handles, names, data, bytes);
      const at = memory.uint32(data);
      const saved = calls.wasm.HEAPU8.slice(at, at + memory.uint32(bytes));
      calls.run("mg_buffer_destroy", at);
      return saved;
    });
  }

  return { NDArray, loadArrays, saveArrays };
}
