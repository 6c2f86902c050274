// What both builds of the package share.
import { Calls, MixgradError } from "./calls.js";
import { executors } from "./executor.js";
import { models } from "./model.js";
import { arrays } from "./ndarray.js";
import { symbols } from "./symbol.js";

/** Bytes of a module: given, or read from beside the package's code or from a URL. */
async function moduleBytes(source, name) {
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return source;
  const url = source === undefined ? new URL(`./wasm/${name}.wasm`, import.meta.url) : new URL(source, globalThis.location);
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new MixgradError(`[load] ${url}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

/** An instance of a module, and its classes. */
export async function library(instantiate, source, name) {
  const calls = new Calls(await instantiate({ wasmBinary: await moduleBytes(source, name) }));
  const files = arrays(calls);
  const Symbol = symbols(calls);
  const { Executor, Predictor } = executors(calls, files, Symbol);
  return {
    calls,
    classes: {
      ...files,
      Symbol,
      Executor,
      Predictor,
      Model: models(calls, files.NDArray, Predictor),
      scope: (body) => calls.scope(body),
      version: calls.within((memory) => memory.read(calls.run("mg_version"))),
    },
  };
}
