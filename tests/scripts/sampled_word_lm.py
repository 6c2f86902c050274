"""A language model with a sampled softmax: row_sparse embeddings, states kept, a subclass of Module."""

import mxnet as mx
import numpy as np

mx.random.seed(38)
np.random.seed(38)
vocab, embed, hidden, bptt, batch_size, k = 80, 16, 32, 6, 20, 12


class CustomModule(mx.mod.Module):
    """Gradients scaled, and clipped by their common norm; the rows of a batch pulled before it."""

    def prepare_sparse_params(self, param_rowids):
        for name, rowids in param_rowids.items():
            if not isinstance(rowids, (list, tuple)):
                rowids = [rowids]
            rowids_1d = [rows.reshape((-1,)).astype("int64") for rows in rowids]
            index = self._exec_group.param_names.index(name)
            values = self._exec_group.param_arrays[index]
            self._kvstore.row_sparse_pull(name, values, row_ids=rowids_1d, priority=-index)

    def rescale_grad(self, scale, name):
        for array in self._exec_group.grad_arrays[self._exec_group.param_names.index(name)]:
            array *= scale

    def clip_by_global_norm(self, max_norm):
        assert self.binded and self.params_initialized and self.optimizer_initialized
        grads = [array for arrays in self._exec_group.grad_arrays if arrays for array in arrays]
        norm = float(sum(mx.nd.norm(grad).as_in_context(mx.cpu()) ** 2 for grad in grads).sqrt().asscalar())
        if norm > max_norm:
            for grad in grads:
                grad *= max_norm / norm
        return norm


def rnn():
    data = mx.sym.var("data")
    weight = mx.sym.var("encoder_weight", stype="row_sparse")
    embeddings = mx.sym.sparse.Embedding(
        data=data, weight=weight, input_dim=vocab, output_dim=embed, name="embed", sparse_grad=True
    )
    states = [mx.sym.var(name, shape=(batch_size, hidden)) for name in ("lstm_h0", "lstm_c0")]
    cell = mx.rnn.LSTMCell(hidden, prefix="lstm_")
    outputs, next_states = cell.unroll(
        bptt, inputs=embeddings, begin_state=states, merge_outputs=True, layout="TNC"
    )
    last = [mx.sym.stop_gradient(state, name="last_%s" % n) for state, n in zip(next_states, "hc")]
    return mx.sym.reshape(outputs, shape=(-1, hidden)), last, ["lstm_h0", "lstm_c0"]


def sampled_softmax(inputs, n, m):
    """The class of each row against k that are drawn for the whole batch, by the chances of drawing them."""
    sample, label = mx.sym.var("sample", shape=(k,)), mx.sym.var("label")
    p_true, p_sample = mx.sym.var("p_noise_target"), mx.sym.var("p_noise_sample", shape=(k,))
    ids = mx.sym.concat(mx.sym.reshape(label, shape=(-1,)), sample, dim=0)
    weight, bias = (
        mx.sym.var("decoder_weight", stype="row_sparse"),
        mx.sym.var("decoder_bias", shape=(vocab, 1)),
    )
    w_all = mx.sym.sparse.Embedding(
        data=ids, weight=weight, input_dim=vocab, output_dim=hidden, name="decoder", sparse_grad=True
    )
    b_all = mx.sym.Embedding(data=ids, weight=bias, input_dim=vocab, output_dim=1)
    true_w, sample_w = mx.sym.slice_axis(w_all, axis=0, begin=0, end=n), mx.sym.slice_axis(w_all, 0, n, None)
    true_b = mx.sym.reshape(mx.sym.slice_axis(b_all, axis=0, begin=0, end=n), shape=(-1,))
    sample_b = mx.sym.reshape(mx.sym.slice_axis(b_all, axis=0, begin=n, end=None), shape=(-1,))
    pred = mx.sym.sum(true_w * inputs, axis=1) + true_b
    pred = mx.sym.expand_dims(pred - mx.sym.log(mx.sym.reshape(p_true, shape=(-1,))), axis=1)
    others = mx.sym.FullyConnected(inputs, weight=sample_w, bias=sample_b, num_hidden=k)
    others = mx.sym.broadcast_sub(others, mx.sym.expand_dims(mx.sym.log(p_sample), axis=0))
    # a word that was drawn is no wrong answer where it is the right one
    same = mx.sym.broadcast_equal(mx.sym.reshape(label, shape=(-1, 1)), mx.sym.reshape(sample, shape=(1, -1)))
    logits = mx.sym.concat(pred, others - 1e8 * same, dim=1)
    return mx.sym.softmax_cross_entropy(logits, mx.sym.zeros((n,)), name="ce") / n


# Each word is followed by one of two.
follow = np.stack([np.arange(vocab) * 7 % vocab, (np.arange(vocab) * 3 + 1) % vocab], axis=1)
text = np.zeros((151 * bptt + 1, batch_size), "float32")
text[0] = np.random.randint(0, vocab, batch_size)
for at in range(1, len(text)):
    text[at] = follow[text[at - 1].astype(int), np.random.randint(0, 2, batch_size)]

outputs, last_states, state_names = rnn()
net = mx.sym.Group([mx.sym.MakeLoss(sampled_softmax(outputs, bptt * batch_size, k)), *last_states])
data_names, label_names = ["data", "sample", "p_noise_sample", "p_noise_target"], ["label"]
shapes = [(bptt, batch_size), (k,), (k,), (bptt, batch_size)]
layouts = ["TN", "K", "K", "TN"]  # what has no N is not parted among devices
module = CustomModule(
    symbol=net, context=[mx.cpu()], state_names=state_names, data_names=data_names, label_names=label_names
)
module.bind(
    data_shapes=[
        mx.io.DataDesc(name, shape, layout=layout) for name, shape, layout in zip(data_names, shapes, layouts)
    ],
    label_shapes=[mx.io.DataDesc("label", (bptt, batch_size), layout="TN")],
)
module.init_params(initializer=mx.init.Xavier(factor_type="out"))
kvstore = mx.kv.create("local")
optimizer = mx.optimizer.create("adagrad", learning_rate=0.4, rescale_grad=1.0, eps=1e-6)
module.init_optimizer(optimizer=optimizer, kvstore=kvstore)

every = mx.nd.arange(vocab, dtype="int64")
course = []
for epoch in range(4):
    module.set_states(value=0)
    states = [[mx.nd.zeros((batch_size, hidden))], [mx.nd.zeros((batch_size, hidden))]]
    for at in range(0, 150 * bptt, bptt):
        x, y = mx.nd.array(text[at : at + bptt]), mx.nd.array(text[at + 1 : at + bptt + 1])
        drawn, chance_true, chance_drawn = mx.nd.contrib.rand_zipfian(y.reshape((-1,)), k, vocab)
        parts = [x, drawn.astype("float32"), chance_drawn, chance_true.reshape(y.shape)]
        batch = mx.io.DataBatch(data=[part.astype("float32") for part in parts], label=[y])
        module.set_states(states=states)
        module.prepare_sparse_params(
            {
                "encoder_weight": x,
                "decoder_weight": mx.nd.concat(y.reshape((-1,)), drawn.astype("float32"), dim=0),
            }
        )
        module.forward(batch, is_train=True)
        found = module.get_outputs(merge_multi_context=False)
        states = found[1:]
        module.backward()
        module.rescale_grad(2.0, "encoder_weight")
        module.clip_by_global_norm(max_norm=5.0)
        module.update()
        course.append(float(found[0][0].asscalar()))
    module.prepare_sparse_params({"encoder_weight": every, "decoder_weight": every})
    print("epoch %d loss %.3f" % (epoch, np.mean(course[-150:])))

# The whole softmax with the same weights: two words are likely after each.
params, _ = module.get_params()
outputs, _, _ = rnn()
scores = mx.sym.FullyConnected(
    outputs,
    mx.sym.cast_storage(mx.sym.var("decoder_weight", stype="row_sparse"), stype="default"),
    mx.sym.reshape(mx.sym.var("decoder_bias"), shape=(-1,)),
    num_hidden=vocab,
)
args = {name: params[name] for name in scores.list_arguments() if name in params}
args.update(
    data=mx.nd.array(text[:bptt]), **{name: mx.nd.zeros((batch_size, hidden)) for name in state_names}
)
chances = mx.nd.softmax(scores.bind(mx.cpu(), args).forward()[0]).asnumpy().reshape((bptt, batch_size, vocab))
chosen = np.take_along_axis(chances, text[1 : bptt + 1].astype(int)[:, :, None], axis=2)
print("perplexity %.2f, the best is about 2" % np.exp(-np.log(chosen).mean()))
assert np.exp(-np.log(chosen).mean()) < 5
