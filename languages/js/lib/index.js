// mixgrad as WebAssembly: arrays, operators, gradients, graphs, executors and predictions.
import { library } from "./library.js";
import { gradients, operations } from "./operators.js";
import instantiate from "./wasm/full.js";

export { MixgradError } from "./calls.js";

/** Loads the module: from beside this file, or from a URL or bytes. */
export async function load(source) {
  const { calls, classes } = await library(instantiate, source, "full");
  const seed = (number) => calls.within((memory, call) => call("mg_random_seed", BigInt(number)));
  return { ...classes, ...operations(calls, classes.NDArray, classes.Symbol), autograd: gradients(calls), seed };
}
