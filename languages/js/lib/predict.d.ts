// Types of the smaller build.
import type { Prediction } from "./index.js";

export { MixgradError } from "./index.js";

/** Loads the WebAssembly module: from beside this package's code, or from a URL or bytes. */
export function load(source?: string | URL | Uint8Array | ArrayBuffer): Promise<Prediction>;
