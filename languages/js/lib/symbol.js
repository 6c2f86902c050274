// Graphs: variables, MXNet's JSON, and what follows from some shapes.
import { Handle, MixgradError } from "./calls.js";

/** Numbers of the C header's mg_part. */
export const PARTS = { arguments: 0, outputs: 1, auxiliaryStates: 2, gradients: 4 };

/** The class of one instance of the module. */
export function symbols(calls) {
  return class Symbol extends Handle {
    constructor(handle) {
      super(calls, handle, "mg_symbol_destroy");
    }

    static variable(name) {
      return calls.within((memory, call) => {
        const out = memory.room();
        call("mg_symbol_create_variable", memory.text(name), 0, 0, 0, out);
        return new Symbol(memory.uint32(out));
      });
    }

    static fromJSON(text) {
      return calls.within((memory, call) => {
        const bytes = new TextEncoder().encode(text);
        const out = memory.room();
        call("mg_symbol_from_json", memory.copy(bytes), bytes.length, 0, out);
        return new Symbol(memory.uint32(out));
      });
    }

    get json() {
      return calls.within((memory, call) => {
        const out = memory.room();
        call("mg_symbol_to_json", this.handle, out);
        const text = memory.read(memory.uint32(out));
        calls.run("mg_buffer_destroy", memory.uint32(out));
        return text;
      });
    }

    #list(part) {
      return calls.within((memory, call) => {
        const out = memory.room();
        call("mg_symbol_list", this.handle, part, out);
        return calls.strings(memory, memory.uint32(out));
      });
    }

    get arguments() {
      return this.#list(PARTS.arguments);
    }

    get outputs() {
      return this.#list(PARTS.outputs);
    }

    get auxiliaryStates() {
      return this.#list(PARTS.auxiliaryStates);
    }

    output(index) {
      return calls.within((memory, call) => {
        const out = memory.room();
        call("mg_symbol_get_output", this.handle, index, out);
        return new Symbol(memory.uint32(out));
      });
    }

    inferShape(known) {
      return calls.within((memory, call) => {
        const names = Object.keys(known);
        const out = memory.room();
        const ndims = memory.uint32s(names.map((name) => known[name].length));
        const shapes = memory.pointers(names.map((name) => memory.shape(known[name])));
        call("mg_symbol_infer", this.handle, names.length, memory.texts(names), ndims, shapes, 0, out);
        const inference = memory.uint32(out);
        const part = (number, list) =>
          list.map((_, i) => {
            const [ndim, extents] = [memory.room(), memory.room()];
            call("mg_inference_get_shape", inference, number, i, ndim, extents);
            return memory.extents(memory.uint32(extents), memory.int32(ndim));
          });
        try {
          if (!calls.run("mg_inference_has_shapes", inference)) {
            throw new MixgradError("[inferShape] the shapes given do not decide all others; give those of more inputs");
          }
          return {
            arguments: part(PARTS.arguments, this.arguments),
            outputs: part(PARTS.outputs, this.outputs),
            auxiliaryStates: part(PARTS.auxiliaryStates, this.auxiliaryStates),
          };
        } finally {
          calls.run("mg_inference_destroy", inference);
        }
      });
    }
  };
}
