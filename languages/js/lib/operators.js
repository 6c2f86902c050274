// Operators on arrays and on symbols.
import { Handle } from "./calls.js";
import { operators } from "./ops.js";

const PORT_BYTES = 24; // sizeof(mg_port_info) with pointers of 4 bytes
const ARITHMETIC = { add: "plus", sub: "minus", mul: "mul", div: "div" };

/** Inputs and parameters of a call: arrays or symbols first, an object of parameters last. */
function parted(name, count, Class, args) {
  const given = args.slice();
  const last = given.at(-1);
  const plain = last !== null && typeof last === "object" && !(last instanceof Handle) && !Array.isArray(last);
  const options = plain ? given.pop() : {};
  const inputs = count < 0 && Array.isArray(given[0]) ? given[0] : given;
  if (count >= 0 && inputs.length > count) {
    throw new TypeError(`[${name}] expected at most ${count} inputs, got ${inputs.length}`);
  }
  for (const input of inputs) {
    if (input !== null && input !== undefined && !(input instanceof Class)) {
      throw new TypeError(`[${name}] an input is ${typeof input}; expected ${Class.name}`);
    }
  }
  return [inputs.map((input) => input ?? null), options];
}

/** Functions by operator, for the classes of one instance of the module, which get arithmetic. */
export function operations(calls, NDArray, Symbol) {
  function find(memory, call, name) {
    const out = memory.room();
    call("mg_op_find", memory.text(name), out);
    return memory.uint32(out);
  }

  function onArrays(name, [registered, count, single, kinds]) {
    return (...args) => {
      const [inputs, options] = parted(name, count, NDArray, args);
      while (inputs.length > 0 && inputs.at(-1) === null) inputs.pop();
      const given = options.out === undefined ? [] : [options.out].flat();
      return calls.within((memory, call) => {
        const op = find(memory, call, registered);
        const params = memory.params(name, kinds, options);
        const [needed, made] = [memory.room(), memory.room()];
        call("mg_op_arity", op, ...params, needed, made);
        const room = memory.int32(made);
        if (given.length > 0 && given.length !== room) {
          throw new TypeError(`[${name}] out has ${given.length} arrays; the operator has ${room} outputs`);
        }
        const handles = memory.pointers(inputs.map((input) => (input ? input.handle : 0)));
        const outputs = memory.pointers(Array.from({ length: room }, (_, i) => given[i]?.handle ?? 0));
        call("mg_op_call", op, inputs.length, handles, ...params, made, outputs);
        const found = Array.from(
          { length: memory.int32(made) },
          (_, i) => given[i] ?? new NDArray(memory.uint32(outputs + 4 * i)),
        );
        return single ? found[0] : found;
      });
    };
  }

  function onSymbols(name, [registered, count, , kinds]) {
    return (...args) => {
      const [inputs, options] = parted(name, count, Symbol, args);
      return calls.within((memory, call) => {
        const op = find(memory, call, registered);
        const used = inputs.map((input, i) => [input, i]).filter(([input]) => input !== null);
        const handles = memory.pointers(used.map(([input]) => input.handle));
        const names = used.map(([, i]) => {
          if (count < 0) return 0;
          const info = memory.pointers([PORT_BYTES, 0, 0, 0, 0, 0]);
          call("mg_op_get_input", op, i, info);
          return memory.uint32(info + 4);
        });
        const out = memory.room();
        const node = options.name === undefined ? 0 : memory.text(options.name);
        const params = memory.params(name, kinds, options);
        const named = count < 0 ? 0 : memory.pointers(names);
        call("mg_symbol_call", op, node, used.length, named, handles, ...params, 0, 0, 0, out);
        return new Symbol(memory.uint32(out));
      });
    };
  }

  for (const [Class, make] of [[NDArray, onArrays], [Symbol, onSymbols]]) {
    for (const [word, internal] of Object.entries(ARITHMETIC)) {
      const withScalar = make(word, [`_${internal}_scalar`, 1, true, { scalar: "float" }]);
      const withOther = make(word, [`broadcast_${word}`, 2, true, {}]);
      Class.prototype[word] = function (other) {
        return typeof other === "number" ? withScalar(this, { scalar: other }) : withOther(this, other);
      };
    }
  }

  const apply = (make) => Object.fromEntries(Object.entries(operators).map(([name, row]) => [name, make(name, row)]));
  return { nd: apply(onArrays), sym: apply(onSymbols) };
}

/** Writes down what is computed, for gradients. */
export function gradients(calls) {
  return {
    record(body, { training = true } = {}) {
      return calls.within((memory, call) => {
        const [recording, mode] = [memory.room(), memory.room()];
        call("mg_autograd_set_recording", 1, recording);
        call("mg_autograd_set_training", Number(training), mode);
        try {
          return body();
        } finally {
          call("mg_autograd_set_recording", memory.int32(recording), 0);
          call("mg_autograd_set_training", memory.int32(mode), 0);
        }
      });
    },
  };
}
