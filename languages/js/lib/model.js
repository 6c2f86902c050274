// Packed models: what `mixgrad pack` writes.
import { MixgradError } from "./calls.js";
import { inputOf } from "./picture.js";

const FORMAT = { resize: 0, channels: "rgb", scale: 1, mean: [0], std: [1] };

/** The class of one instance of the module. */
export function models(calls, NDArray, Predictor) {
  return class Model {
    #predictor;

    constructor(bytes) {
      calls.scope(() => this.#read(bytes));
    }

    #read(bytes) {
      const [texts, params] = calls.within((memory, call) => {
        const out = memory.room();
        call("mg_model_load_buffer", memory.copy(new Uint8Array(bytes)), bytes.byteLength, out);
        const model = memory.uint32(out);
        try {
          return [textsOf(memory, call, model), arraysOf(memory, call, model)];
        } finally {
          calls.run("mg_model_destroy", model);
        }
      });
      if (!texts.symbol || !texts.input) {
        throw new MixgradError(`[Model] the file has no ${texts.symbol ? "input" : "symbol"}; expected what mixgrad pack writes`);
      }
      this.input = { ...FORMAT, ...JSON.parse(texts.input) };
      this.labels = texts.labels ? texts.labels.split("\n") : [];
      const shape = [1, ...this.input.shape.slice(1)];
      this.#predictor = new Predictor(texts.symbol, params, { [this.input.name]: shape });
    }

    predict(values) {
      return this.#predictor.predict({ [this.input.name]: values })[0];
    }

    classify(picture) {
      const scores = this.predict(inputOf(picture, this.input));
      const named = Array.from(scores, (score, i) => ({ label: this.labels[i] ?? `class ${i}`, score }));
      return named.sort((a, b) => b.score - a.score);
    }

    dispose() {
      this.#predictor.dispose();
    }
  };

  function textsOf(memory, call, model) {
    const found = {};
    const [text, bytes] = [memory.room(), memory.room()];
    for (let i = 0; i < calls.run("mg_model_get_num_texts", model); ++i) {
      const name = calls.run("mg_model_get_text_name", model, i);
      call("mg_model_get_text", model, name, text, bytes);
      found[memory.read(name)] = memory.read(memory.uint32(text));
    }
    return found;
  }

  function arraysOf(memory, call, model) {
    const found = {};
    const out = memory.room();
    for (let i = 0; i < calls.run("mg_model_get_num_arrays", model); ++i) {
      call("mg_model_get_array", model, i, out);
      found[memory.read(calls.run("mg_model_get_array_name", model, i))] = new NDArray(memory.uint32(out));
    }
    return found;
  }
}
