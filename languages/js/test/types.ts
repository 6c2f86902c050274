// Never run: the compiler checks that programs like these are typed as they should be, and that wrong ones are refused.
import { load, MixgradError, type NDArray } from "../lib/index.js";
import { load as loadSmall } from "../lib/predict.js";

const mx = await load();
const x: NDArray = mx.NDArray.from([1, 2, 3], [3], "float32");
const y: NDArray = mx.nd.Activation(x, { act_type: "relu" });
const parts: NDArray[] = mx.nd.SliceChannel(x, { num_outputs: 3 });
const net = mx.sym.FullyConnected(mx.Symbol.variable("data"), { num_hidden: 3, name: "fc1" });
const executor = new mx.Executor(net, { data: [1, 2] }, { gradients: true });
const loss: NDArray = mx.autograd.record(() => mx.nd.sum(x.mul(2).add(y)));
mx.nd.sgd_update(x, y, { lr: 0.1, out: x });
const gradient: NDArray | null = x.grad;
const named: { label: string; score: number }[] = new mx.Model(new Uint8Array(0)).classify(new ImageData(2, 2));
const status: number | undefined = new MixgradError("[test]").status;
const small = await loadSmall(new URL("https://example.org/predict.wasm"));
const outputs = new small.Predictor("{}", new ArrayBuffer(0), { data: [1, 1] }).predict({ data: [1] });
console.log(parts, executor.outputs[0]?.shape, loss, gradient, named, status, outputs[0]?.length);

// @ts-expect-error there is no such activation
mx.nd.Activation(x, { act_type: "rely" });
// @ts-expect-error there is no such parameter
mx.nd.Activation(x, { act: "relu" });
// @ts-expect-error a symbol is no array
mx.nd.Flatten(net);
// @ts-expect-error the smaller build has no operators
small.nd.Flatten(x);
