// The module's memory: what calls need, and how structs of the C header lie in it. Pointers have 4 bytes; functions give them
// as signed numbers, so that `>>> 0` makes addresses of them.

export const Kind = { none: 0, integer: 1, real: 2, boolean: 3, string: 4, tuple: 5 };
const VALUE_BYTES = 16;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Memory for one call; `free` gives all of it back. */
export class Memory {
  #blocks = [];

  constructor(wasm) {
    this.wasm = wasm;
  }

  /** The module's memory as it is now: it moves when it grows. */
  get view() {
    return new DataView(this.wasm.HEAPU8.buffer);
  }

  bytes(count) {
    const at = this.wasm._malloc(Math.max(count, 8)) >>> 0;
    if (at === 0) throw new RangeError(`[mixgrad] no memory for ${count} bytes`);
    this.#blocks.push(at);
    this.wasm.HEAPU8.fill(0, at, at + Math.max(count, 8));
    return at;
  }

  copy(bytes) {
    const at = this.bytes(bytes.byteLength);
    this.wasm.HEAPU8.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), at);
    return at;
  }

  text(text) {
    return this.copy(encoder.encode(`${text}\0`));
  }

  pointers(list) {
    const at = this.bytes(4 * list.length);
    list.forEach((pointer, i) => this.view.setUint32(at + 4 * i, pointer, true));
    return at;
  }

  texts(list) {
    return this.pointers(list.map((text) => this.text(text)));
  }

  uint32s(list) {
    return this.pointers(list);
  }

  /** Extents as int64. */
  shape(shape) {
    const at = this.bytes(8 * shape.length);
    shape.forEach((extent, i) => this.view.setBigInt64(at + 8 * i, BigInt(extent), true));
    return at;
  }

  /** Extents that the library shows; -1 extents: none are known. */
  extents(at, ndim) {
    const from = at >>> 0;
    return Array.from({ length: Math.max(ndim, 0) }, (_, axis) => Number(this.view.getBigInt64(from + 8 * axis, true)));
  }

  /** Where a call leaves a pointer or an int32. */
  room() {
    return this.bytes(8);
  }

  uint32(at) {
    return this.view.getUint32(at, true);
  }

  int32(at) {
    return this.view.getInt32(at, true);
  }

  #number(at, kind, value) {
    const { view } = this;
    if (value === null) {
      view.setInt32(at, Kind.none, true);
    } else if (kind === "float" || kind === "floats") {
      view.setInt32(at, Kind.real, true);
      view.setFloat64(at + 8, value, true);
    } else {
      view.setInt32(at, kind === "bool" ? Kind.boolean : Kind.integer, true);
      view.setBigInt64(at + 8, BigInt(value), true); // refuses fractions
    }
  }

  #value(at, kind, value) {
    if (Array.isArray(value)) {
      const items = this.bytes(VALUE_BYTES * value.length);
      value.forEach((item, i) => this.#number(items + VALUE_BYTES * i, kind, item));
      this.view.setInt32(at, Kind.tuple, true);
      this.view.setUint32(at + 4, value.length, true);
      this.view.setUint32(at + 8, items, true);
    } else if (typeof value === "string") {
      const text = this.text(value);
      this.view.setInt32(at, Kind.string, true);
      this.view.setUint32(at + 8, text, true);
    } else {
      this.#number(at, kind, value);
    }
  }

  /** Parameters as the C header takes them: how many, names, values. */
  params(op, kinds, given) {
    const names = Object.keys(given).filter((name) => given[name] !== undefined && name !== "name" && name !== "out");
    for (const name of names) {
      if (!(name in kinds)) {
        throw new TypeError(`[${op}] there is no parameter ${name}; parameters are ${Object.keys(kinds).join(", ")}`);
      }
      const value = given[name];
      const whole = /^(optional )?(bool|ints?)$/.test(kinds[name]);
      const simple = (one) =>
        one === null || typeof one === "boolean" || (typeof one === "number" && (!whole || Number.isInteger(one)));
      const fits = Array.isArray(value) ? value.every(simple) : typeof value === "string" || simple(value);
      if (!fits) throw new TypeError(`[${op}] ${name} is ${JSON.stringify(value)}; expected ${kinds[name]}`);
    }
    const values = this.bytes(VALUE_BYTES * names.length);
    names.forEach((name, i) => this.#value(values + VALUE_BYTES * i, kinds[name].replace("optional ", ""), given[name]));
    return [names.length, this.texts(names), values];
  }

  /** Text at a pointer, up to its zero. */
  read(at) {
    const [heap, from] = [this.wasm.HEAPU8, at >>> 0];
    return at === 0 ? "" : decoder.decode(heap.subarray(from, heap.indexOf(0, from)));
  }

  free() {
    for (const block of this.#blocks) this.wasm._free(block);
    this.#blocks = [];
  }
}
