// Calls into the module, and objects that stand for what it holds.
import { Memory } from "./memory.js";

const MG_STATUS_OK = 0;

/** What failing calls throw; it names the operator, what arrived and what was expected. */
export class MixgradError extends Error {
  constructor(message, status) {
    super(message);
    this.name = "MixgradError";
    this.status = status;
  }
}

/** One instance of the module. */
export class Calls {
  #scopes = [];
  #collected;

  constructor(wasm) {
    this.wasm = wasm;
    this.#collected = new FinalizationRegistry(({ destroy, handle }) => this.run(destroy, handle));
  }

  /** Calls a function that cannot fail. */
  run(name, ...args) {
    const found = this.wasm[`_${name}`];
    if (!found) throw new MixgradError(`[${name}] this build leaves the function out; it was made for prediction only`);
    return found(...args);
  }

  /** The body gets memory for its calls, and a function that calls what gives a status. */
  within(body) {
    const memory = new Memory(this.wasm);
    try {
      return body(memory, (name, ...args) => {
        const status = this.run(name, ...args);
        if (status !== MG_STATUS_OK) throw new MixgradError(memory.read(this.run("mg_last_error")), status);
      });
    } finally {
      memory.free();
    }
  }

  /** Texts of a list, which is given back. */
  strings(memory, list) {
    const count = this.run("mg_string_list_get_num_strings", list);
    const found = Array.from({ length: count }, (_, i) => memory.read(this.run("mg_string_list_get", list, i)));
    this.run("mg_string_list_destroy", list);
    return found;
  }

  /** Gives back what the body made and does not return. */
  scope(body) {
    const made = new Set();
    this.#scopes.push(made);
    try {
      const result = body();
      if (typeof result?.then === "function") {
        throw new TypeError("[scope] the function is asynchronous; expected one that is done when it returns");
      }
      for (const kept of held(result)) {
        if (made.delete(kept)) this.#scopes.at(-2)?.add(kept);
      }
      return result;
    } finally {
      this.#scopes.pop();
      for (const one of made) one.dispose();
    }
  }

  /** What the body makes belongs to no scope: an object holds it. */
  apart(body) {
    this.#scopes.push(new Set());
    try {
      return body();
    } finally {
      this.#scopes.pop();
    }
  }

  own(object, destroy, handle, token) {
    this.#scopes.at(-1)?.add(object);
    this.#collected.register(object, { destroy, handle }, token);
  }

  disown(object, token) {
    this.#collected.unregister(token);
    for (const made of this.#scopes) made.delete(object);
  }
}

/** Objects of the library in a result: the result itself, or what an array or a plain object holds. */
function held(result) {
  if (result instanceof Handle) return [result];
  const plain = Array.isArray(result) || (result && Object.getPrototypeOf(result) === Object.prototype);
  return plain ? Object.values(result).flatMap(held) : [];
}

/** An object of the library. Memory goes back with dispose(), at the end of a scope, or when the collector finds it unused. */
export class Handle {
  #calls;
  #handle;
  #destroy;
  #token = {};

  constructor(calls, handle, destroy) {
    [this.#calls, this.#handle, this.#destroy] = [calls, handle, destroy];
    calls.own(this, destroy, handle, this.#token);
  }

  get handle() {
    if (this.#handle === 0) throw new MixgradError(`[${this.constructor.name}] it was disposed of`);
    return this.#handle;
  }

  dispose() {
    if (this.#handle === 0) return;
    this.#calls.disown(this, this.#token);
    this.#calls.run(this.#destroy, this.#handle);
    this.#handle = 0;
  }
}
