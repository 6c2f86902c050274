// Types of mixgrad for JavaScript.
import type { ArrayOperators, SymbolOperators } from "./ops.js";

export type DType = "float32" | "float64" | "float16" | "uint8" | "int32" | "int8" | "int64" | "bool" | "bfloat16";
export type Values = Float32Array | Float64Array | Uint16Array | Uint8Array | Int32Array | Int8Array | BigInt64Array;
export type Shape = readonly number[];

/** What failing calls throw; it names the operator, what arrived and what was expected. */
export class MixgradError extends Error {
  /** A number of the C header's mg_status. */
  readonly status?: number;
}

/** A dense array. Memory goes back with dispose(), at the end of a scope, or when the collector finds it unused. */
export interface NDArray {
  readonly shape: number[];
  readonly size: number;
  readonly dtype: DType;
  /** A copy of the values in row-major order; float16 and bfloat16 as their bits. */
  toArray(): Values;
  /** Overwrites all values. */
  set(values: ArrayLike<number> | Values): void;
  /** The same memory under another shape; one extent may be -1. */
  reshape(...shape: number[]): NDArray;
  /** Rows from begin up to end; the same memory. */
  slice(begin: number, end?: number): NDArray;
  /** Overwrites an array of the same shape, of any dtype. */
  copyTo(target: NDArray): void;
  add(other: NDArray | number): NDArray;
  sub(other: NDArray | number): NDArray;
  mul(other: NDArray | number): NDArray;
  div(other: NDArray | number): NDArray;
  /** Makes it a variable whose gradient backward() writes, or adds to. */
  attachGrad(request?: "null" | "write" | "add"): void;
  /** null where the array is no variable. */
  readonly grad: NDArray | null;
  /** Gradients of this recorded result into the variables that it depends on. */
  backward(): void;
  dispose(): void;
}

/** Outputs of a graph. */
export interface Symbol {
  readonly arguments: string[];
  readonly outputs: string[];
  readonly auxiliaryStates: string[];
  /** JSON of MXNet 1.9.1. */
  readonly json: string;
  /** One of several outputs. */
  output(index: number): Symbol;
  /** Shapes that follow from those of some variables; throws when not all follow. */
  inferShape(known: Record<string, Shape>): {
    arguments: number[][];
    outputs: number[][];
    auxiliaryStates: number[][];
  };
  add(other: Symbol | number): Symbol;
  sub(other: Symbol | number): Symbol;
  mul(other: Symbol | number): Symbol;
  div(other: Symbol | number): Symbol;
  dispose(): void;
}

/** A graph bound to arrays, which the executor keeps. */
export interface Executor {
  readonly arguments: Record<string, NDArray>;
  readonly auxiliaryStates: Record<string, NDArray>;
  /** Of what is no input; empty without gradients. */
  readonly gradients: Record<string, NDArray>;
  /** The same arrays in every run. */
  readonly outputs: NDArray[];
  forward(options?: { training?: boolean }): NDArray[];
  /** Gradients of the last forward run while training. Outputs are losses. */
  backward(): void;
  dispose(): void;
}

/** A network with its weights, for inputs of fixed shapes. */
export interface Predictor {
  readonly outputShapes: number[][];
  /** Values of the inputs by name; gives the values of every output. */
  predict(values: Record<string, ArrayLike<number>>): Values[];
  dispose(): void;
}

/** Pixels of 4 bytes, such as a canvas's ImageData; transparency is ignored. */
export interface Picture {
  readonly data: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
}

/** How a picture becomes the input: (pixel * scale - mean) / std. */
export interface InputFormat {
  name: string;
  shape: number[];
  /** Pixels of the shorter side before the middle is cut out; 0: the whole picture is brought to the shape. */
  resize: number;
  channels: "rgb" | "bgr" | "gray";
  scale: number;
  mean: number[];
  std: number[];
}

/** A packed model, as `mixgrad pack` writes it. */
export interface Model {
  readonly labels: string[];
  readonly input: InputFormat;
  /** The first output, for one input of the model's shape. */
  predict(values: ArrayLike<number>): Values;
  /** Scores of all classes, the best first. */
  classify(picture: Picture): { label: string; score: number }[];
  dispose(): void;
}

/** What both builds offer. */
export interface Prediction {
  readonly version: string;
  readonly NDArray: {
    /** Values in row-major order; without a shape, a vector. */
    from(values: ArrayLike<number> | Values, shape?: Shape, dtype?: DType): NDArray;
    zeros(shape: Shape, dtype?: DType): NDArray;
  };
  readonly Symbol: {
    /** MXNet's JSON, versions 0.7 to 1.9. */
    fromJSON(text: string): Symbol;
  };
  /** A network (JSON or symbol), its weights (bytes of a .params file, or arrays by name), and the inputs' shapes. */
  readonly Predictor: new (
    network: string | Symbol,
    weights: Uint8Array | ArrayBuffer | Record<string, NDArray>,
    shapes: Record<string, Shape>,
  ) => Predictor;
  readonly Model: new (bytes: Uint8Array | ArrayBuffer) => Model;
  /** Arrays by name from the bytes of a file in any known format. */
  loadArrays(bytes: Uint8Array | ArrayBuffer): Record<string, NDArray>;
  /** Runs the function, then gives back all arrays and graphs that it made and does not return. */
  scope<T>(body: () => T): T;
}

export interface Mixgrad extends Prediction {
  readonly Symbol: Prediction["Symbol"] & {
    variable(name: string): Symbol;
  };
  /** Operators on arrays. */
  readonly nd: ArrayOperators;
  /** Operators on symbols. */
  readonly sym: SymbolOperators;
  /** Arrays of the given shapes' graph; params give values of others by name, plain or as arg:name and aux:name. */
  readonly Executor: new (
    symbol: Symbol,
    shapes: Record<string, Shape>,
    options?: { gradients?: boolean; params?: Record<string, NDArray> },
  ) => Executor;
  readonly autograd: {
    /** Runs the function and writes down what it computes, for backward(). */
    record<T>(body: () => T, options?: { training?: boolean }): T;
  };
  /** Fixes all random numbers from here on. */
  seed(number: number): void;
  /** Bytes of a .params file, which MXNet reads too. */
  saveArrays(named: Record<string, NDArray>): Uint8Array;
}

/** Loads the WebAssembly module: from beside this package's code, or from a URL or bytes. */
export function load(source?: string | URL | Uint8Array | ArrayBuffer): Promise<Mixgrad>;
