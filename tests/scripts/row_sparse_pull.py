"""A store keeps a row_sparse weight: devices pull the rows of their batch and push gradients."""

import mxnet as mx
import numpy as np

mx.random.seed(21)
rng = np.random.RandomState(21)
num_features, batch_size, ctxs = 500, 40, [mx.cpu(0), mx.cpu(1)]
truth = rng.normal(size=(num_features, 1))


def batch_of(count):
    dense = rng.normal(size=(count, num_features)) * (rng.rand(count, num_features) < 0.02)
    return mx.nd.array(dense).tostype("csr"), mx.nd.array(dense.dot(truth).ravel())


kv = mx.kv.create("device")
weight = mx.nd.random.normal(scale=0.01, shape=(num_features, 1)).tostype("row_sparse")
kv.init("weight", weight)
kv.set_optimizer(mx.optimizer.AdaGrad(learning_rate=0.4, rescale_grad=1.0 / batch_size))

x, w, y = mx.sym.var("x", stype="csr"), mx.sym.var("w", stype="row_sparse"), mx.sym.var("y")
net = mx.sym.LinearRegressionOutput(mx.sym.reshape(mx.sym.sparse.dot(x, w), shape=(-1,)), y)
half = batch_size // len(ctxs)
execs = [
    net.simple_bind(
        ctx, grad_req={"x": "null", "w": "write", "y": "null"}, x=(half, num_features), w=(num_features, 1)
    )
    for ctx in ctxs
]
losses = []
for _ in range(300):
    data, label = batch_of(batch_size)
    for i, exe in enumerate(execs):
        part = data[i * half : (i + 1) * half]
        rows = part.indices.as_in_context(ctxs[i])
        kv.row_sparse_pull("weight", out=exe.arg_dict["w"], row_ids=rows)
        held = exe.arg_dict["w"].indices.asnumpy()
        assert exe.arg_dict["w"].stype == "row_sparse"
        assert set(held) <= set(rows.asnumpy())
        exe.arg_dict["x"][:] = part
        exe.arg_dict["y"][:] = label[i * half : (i + 1) * half]
        exe.forward(is_train=True)
        exe.backward()
        assert exe.grad_dict["w"].stype == "row_sparse"
    losses.append(
        sum(float(((e.outputs[0] - e.arg_dict["y"]) ** 2).mean().asscalar()) for e in execs) / len(execs)
    )
    kv.push("weight", [e.grad_dict["w"] for e in execs])

print("squared error %.4f, then %.4f" % (np.mean(losses[:20]), np.mean(losses[-20:])))
assert np.mean(losses[-20:]) < 0.05 * np.mean(losses[:20])

# The rows that are asked for, each once and in order; several outputs take several lists of rows.
outs = [mx.nd.sparse.zeros("row_sparse", (num_features, 1)) for _ in range(2)]
kv.row_sparse_pull("weight", out=outs, row_ids=[mx.nd.array([3, 1, 3]), mx.nd.array([7])])
assert [out.indices.asnumpy().tolist() for out in outs] == [[1, 3], [7]]
both = mx.nd.sparse.add(outs[0], outs[1])
assert both.stype == "row_sparse" and both.indices.asnumpy().tolist() == [1, 3, 7]
kept = mx.nd.sparse.retain(both, mx.nd.array([3, 7], dtype="int64"))
mx.nd.save("rows.params", {"kept": kept, "csr": data})
back = mx.nd.load("rows.params")
assert back["kept"].stype == "row_sparse" and back["csr"].stype == "csr"
assert back["kept"].indices.asnumpy().tolist() == [3, 7]
assert np.abs(back["kept"].asnumpy()[[3, 7]] - truth[[3, 7]]).max() < 0.2
assert (back["csr"].asnumpy() == data.asnumpy()).all()
