// Predictions only, by a smaller module.
import { library } from "./library.js";
import instantiate from "./wasm/predict.js";

export { MixgradError } from "./calls.js";

/** Loads the module: from beside this file, or from a URL or bytes. */
export async function load(source) {
  const { NDArray, Symbol, Predictor, Model, loadArrays, scope, version } = (await library(instantiate, source, "predict"))
    .classes;
  return { NDArray, Symbol, Predictor, Model, loadArrays, scope, version };
}
