// Graphs bound to arrays, and predictions.
import { Handle, MixgradError } from "./calls.js";
import { PARTS } from "./symbol.js";

const MG_DEVICE_CPU = 1;
const ARRAYS_BYTES = 28; // sizeof(mg_executor_arrays) with pointers of 4 bytes

/** The classes of one instance of the module. */
export function executors(calls, { NDArray, loadArrays }, Symbol) {
  const keyed = (names, list) => Object.fromEntries(names.map((name, i) => [name, list[i]]));

  /** A graph bound to arrays of its own, whose shapes follow from those given. */
  class Executor extends Handle {
    constructor(symbol, shapes, { gradients = false, params = {} } = {}) {
      const zeros = (shape) => calls.apart(() => NDArray.zeros(shape));
      const inferred = symbol.inferShape(shapes);
      const [names, states] = [symbol.arguments, symbol.auxiliaryStates];
      const taken = (kind, name, shape) =>
        (name in shapes ? null : params[`${kind}:${name}`] ?? params[name]) ?? zeros(shape);
      const args = names.map((name, i) => taken("arg", name, inferred.arguments[i]));
      const aux = states.map((name, i) => taken("aux", name, inferred.auxiliaryStates[i]));
      const wanted = names.map((name, i) => gradients && !(name in shapes) && zeros(inferred.arguments[i]));
      const handle = calls.within((memory, call) => {
        const out = memory.room();
        const list = (items) => memory.pointers(items.map((array) => (array ? array.handle : 0)));
        const [of, grads] = [list(args), gradients ? list(wanted) : 0];
        const bound = [ARRAYS_BYTES, args.length, aux.length, of, list(aux), grads, 0];
        call("mg_executor_bind", symbol.handle, memory.pointers(bound), memory.uint32s([MG_DEVICE_CPU, 0]), 0, out);
        return memory.uint32(out);
      });
      super(calls, handle, "mg_executor_destroy");
      this.arguments = keyed(names, args);
      this.auxiliaryStates = keyed(states, aux);
      this.gradients = keyed(names.filter((_, i) => wanted[i]), wanted.filter(Boolean));
      this.outputs = symbol.outputs.map((_, i) =>
        calls.within((memory, call) => {
          const out = memory.room();
          call("mg_executor_get_array", this.handle, PARTS.outputs, i, out);
          return calls.apart(() => new NDArray(memory.uint32(out)));
        }),
      );
    }

    forward({ training = false } = {}) {
      calls.within((memory, call) => call("mg_executor_forward", this.handle, Number(training)));
      return this.outputs;
    }

    backward() {
      calls.within((memory, call) => call("mg_executor_backward", this.handle, 0, 0));
    }
  }

  /** A network with its weights, for inputs of fixed shapes. */
  class Predictor {
    #executor;
    #inputs;

    constructor(network, weights, shapes) {
      const text = typeof network === "string";
      const bytes = weights instanceof Uint8Array || weights instanceof ArrayBuffer;
      calls.scope(() => {
        this.#bind(text ? Symbol.fromJSON(network) : network, bytes ? loadArrays(weights) : weights, shapes);
      });
    }

    #bind(symbol, params, shapes) {
      const has = (kind, name) => `${kind}:${name}` in params || name in params;
      const lacking = [
        ...symbol.arguments.filter((name) => !(name in shapes) && !name.endsWith("_label") && !has("arg", name)),
        ...symbol.auxiliaryStates.filter((name) => !has("aux", name)),
      ];
      if (lacking.length > 0) {
        throw new MixgradError(`[Predictor] neither weights nor shapes of inputs are given for ${lacking.join(", ")}`);
      }
      this.#executor = calls.apart(() => new Executor(symbol, shapes, { params }));
      this.#inputs = Object.keys(shapes);
    }

    predict(values) {
      const { arguments: given } = this.#executor;
      for (const [name, value] of Object.entries(values)) {
        if (!this.#inputs.includes(name)) {
          throw new TypeError(`[predict] there is no input ${name}; inputs are ${this.#inputs.join(", ")}`);
        }
        given[name].set(value);
      }
      return this.#executor.forward().map((output) => output.toArray());
    }

    get outputShapes() {
      return this.#executor.outputs.map((output) => output.shape);
    }

    dispose() {
      const { arguments: given, outputs } = this.#executor;
      for (const one of [...this.#inputs.map((name) => given[name]), ...outputs, this.#executor]) one.dispose();
    }
  }

  return { Executor, Predictor };
}
