// Leaves with a code of its own, in the state that its argument names, while arrays live. "states" lists them. The module is
// WebAssembly: it works in the thread that calls it, and a worker has a module of its own.
import fs from "node:fs";
import { Worker, isMainThread, workerData } from "node:worker_threads";
import { load, MixgradError } from "../../languages/js/lib/index.js";

const code = 7;
const side = 300;
const nothing = () => {};

const mx = await load();

const ones = (...shape) => mx.nd.ones_like(mx.NDArray.zeros(shape));

// Products that wait for each other.
function queue(count = 4) {
  const a = ones(side, side);
  let b = mx.nd.dot(a, a);
  for (let i = 1; i < count; i++) b = mx.nd.dot(a, b);
  return b;
}

function executor() {
  const net = mx.sym.FullyConnected(mx.Symbol.variable("data"), { num_hidden: 10, name: "fc1" });
  const made = new mx.Executor(net, { data: [8, 16] }, { gradients: true });
  made.forward(true);
  return made;
}

// Standard error is of no use here: Node writes what it ends with.
function quiet() {
  fs.closeSync(2);
  fs.openSync("/dev/null", "w");
}

function inWorker(state, ended) {
  const worker = new Worker(new URL(import.meta.url), { workerData: state, stdout: true, stderr: true });
  worker.on("message", () => worker.terminate());
  worker.on("error", (error) => ended(error));
  worker.on("exit", (status) => ended(status));
}

const states = {
  ends: [0, () => queue()],
  exit: [code, () => { queue(); process.exit(code); }],
  exit_code: [code, () => { queue(); process.exitCode = code; }],
  exit_in_timer: [code, () => { const kept = queue(); setTimeout(() => { kept.toArray(); process.exit(code); }, 1); }],
  exit_in_handler: [code, () => { process.on("exit", () => { queue(1); process.exitCode = code; }); queue(); }],
  before_exit: [code, () => {
    process.once("beforeExit", () => { queue(1); process.exitCode = code; });
    queue();
  }],
  error: [1, () => { quiet(); queue(); throw new Error("on the way"); }],
  library_error: [1, () => { quiet(); mx.nd.dot(queue(1), ones(2, 2)); }],
  caught: [code, () => {
    try {
      mx.nd.dot(queue(1), ones(2, 2));
    } catch (error) {
      process.exit(error instanceof MixgradError ? code : 91);
    }
  }],
  rejected: [1, () => { quiet(); queue(); Promise.reject(new Error("on the way")); }],
  signal: [code, () => {
    process.on("SIGTERM", () => { queue(1); process.exit(code); });
    queue();
    setInterval(nothing, 1000);
    process.kill(process.pid, "SIGTERM");
  }],
  recording: [code, () => {
    const x = ones(side, side);
    x.attachGrad();
    mx.autograd.record(() => { mx.nd.sum(mx.nd.dot(x, x)); process.exit(code); });
  }],
  backward: [code, () => {
    const x = ones(side, side);
    x.attachGrad();
    mx.autograd.record(() => mx.nd.sum(mx.nd.dot(x, x))).backward();
    process.exit(code);
  }],
  executor: [code, () => { executor(); process.exit(code); }],
  disposed: [code, () => { const made = executor(); made.dispose(); queue().dispose(); process.exit(code); }],
  scope: [code, () => mx.scope(() => { queue(); process.exit(code); })],
  two_modules: [code, async () => { const other = await load(); other.NDArray.zeros([2, 2]); queue(); process.exit(code); }],
  worker: [code, () => inWorker("ends", (status) => process.exit(status === 0 ? code : 92))],
  worker_exits: [code, () => inWorker("exit", (status) => process.exit(status))],
  worker_throws: [code, () => inWorker("error", (error) => process.exit(error instanceof Error ? code : 93))],
  worker_terminated: [code, () => inWorker("forever", (status) => process.exit(status === 1 ? code : 94))],
  main_exits_first: [code, () => { inWorker("forever", nothing); setTimeout(() => process.exit(code), 20); }],
};

const ofWorkers = {
  ends: () => queue(),
  exit: () => { queue(); process.exit(code); },
  error: () => { queue(); throw new Error("on the way"); },
  forever: async () => {
    const { parentPort } = await import("node:worker_threads");
    queue();
    parentPort.postMessage("queued");
    for (;;) queue(1).dispose();
  },
};

const given = process.argv[2];
if (!isMainThread) await ofWorkers[workerData]();
else if (given === "states") for (const [name, [status]] of Object.entries(states)) console.log(name, status);
else await states[given][1]();
