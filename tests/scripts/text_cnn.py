"""Sentences classified by convolutions over words: an executor trained by hand, norms clipped."""

from collections import namedtuple

import mxnet as mx
import numpy as np

mx.random.seed(41)
np.random.seed(41)
vocabulary, length, embed, batch_size = 40, 12, 12, 50
CNNModel = namedtuple("CNNModel", ["cnn_exec", "symbol", "data", "label", "param_blocks"])


def sentences(count):
    """Positive where one of three pairs of words stands together anywhere."""
    data, label = np.random.randint(6, vocabulary, (count, length)), np.random.randint(0, 2, count)
    for row, kind in zip(data, label):
        at, pair = np.random.randint(0, length - 1), np.random.randint(0, 3)
        row[at : at + 2] = [2 * pair, 2 * pair + 1] if kind else [2 * pair + 1, 2 * pair]
    return data, label


def make_text_cnn(filter_list=(2, 3), num_filter=16, dropout=0.3):
    input_x, input_y = mx.sym.Variable("data"), mx.sym.Variable("softmax_label")
    embed_layer = mx.sym.Embedding(data=input_x, input_dim=vocabulary, output_dim=embed, name="vocab_embed")
    conv_input = mx.sym.Reshape(data=embed_layer, target_shape=(batch_size, 1, length, embed))
    pooled_outputs = []
    for filter_size in filter_list:
        convi = mx.sym.Convolution(data=conv_input, kernel=(filter_size, embed), num_filter=num_filter)
        relui = mx.sym.Activation(data=convi, act_type="relu")
        pooled_outputs.append(
            mx.sym.Pooling(data=relui, pool_type="max", kernel=(length - filter_size + 1, 1), stride=(1, 1))
        )
    concat = mx.sym.Concat(*pooled_outputs, dim=1)
    h_pool = mx.sym.Reshape(data=concat, target_shape=(batch_size, num_filter * len(filter_list)))
    h_drop = mx.sym.Dropout(data=h_pool, p=dropout)
    cls_weight, cls_bias = mx.sym.Variable("cls_weight"), mx.sym.Variable("cls_bias")
    fc = mx.sym.FullyConnected(data=h_drop, weight=cls_weight, bias=cls_bias, num_hidden=2)
    return mx.sym.SoftmaxOutput(data=fc, label=input_y, name="softmax")


def setup_cnn_model(ctx):
    cnn = make_text_cnn()
    arg_names = cnn.list_arguments()
    arg_shape, _, _ = cnn.infer_shape(data=(batch_size, length))
    arg_array = [mx.nd.zeros(s, ctx) for s in arg_shape]
    args_grad = {
        name: mx.nd.zeros(shape, ctx)
        for shape, name in zip(arg_shape, arg_names)
        if name not in ["softmax_label", "data"]
    }
    cnn_exec = cnn.bind(ctx=ctx, args=arg_array, args_grad=args_grad, grad_req="add")
    arg_dict = dict(zip(arg_names, cnn_exec.arg_arrays))
    param_blocks = []
    initializer = mx.initializer.Uniform(0.1)
    for i, name in enumerate(arg_names):
        if name in ["softmax_label", "data"]:
            continue
        initializer(mx.init.InitDesc(name), arg_dict[name])
        param_blocks.append((i, arg_dict[name], args_grad[name], name))
    data, label = cnn_exec.arg_dict["data"], cnn_exec.arg_dict["softmax_label"]
    return CNNModel(cnn_exec=cnn_exec, symbol=cnn, data=data, label=label, param_blocks=param_blocks)


def train(model, optimizer, batches, is_train, max_grad_norm=5.0):
    right = total = 0
    for batch_x, batch_y in batches:
        model.data[:] = batch_x
        model.label[:] = batch_y
        model.cnn_exec.forward(is_train=is_train)
        if is_train:
            model.cnn_exec.backward()
            norm = 0
            for _, _, grad, _ in model.param_blocks:
                grad /= batch_size
                l2_norm = mx.nd.norm(grad).asscalar()
                norm += l2_norm * l2_norm
            norm = np.sqrt(norm)
            for idx, weight, grad, _ in model.param_blocks:
                if norm > max_grad_norm:
                    grad *= max_grad_norm / norm
                optimizer(idx, grad, weight)
                grad[:] = 0.0
        right += (batch_y == np.argmax(model.cnn_exec.outputs[0].asnumpy(), axis=1)).sum()
        total += len(batch_y)
    return right / float(total)


def batches(x, y):
    return [(x[i : i + batch_size], y[i : i + batch_size]) for i in range(0, len(y), batch_size)]


x, y = sentences(2500)
model = setup_cnn_model(mx.cpu(0))
updater = mx.optimizer.get_updater(mx.optimizer.create("rmsprop", learning_rate=0.005))
for epoch in range(6):
    shuffled = np.random.permutation(2000)
    accuracy = train(model, updater, batches(x[shuffled], y[shuffled]), True)
    dev = train(model, updater, batches(x[2000:], y[2000:]), False)
    print("epoch %d training %.3f test %.3f" % (epoch, accuracy, dev))
save_dict = {("arg:%s" % k): v for k, v in model.cnn_exec.arg_dict.items()}
mx.nd.save("checkpoint-0006.params", save_dict)
model.symbol.save("checkpoint-symbol.json")
assert dev > 0.93
loaded, args, _ = mx.model.load_checkpoint("checkpoint", 6)
exe = loaded.bind(mx.cpu(), args)
exe.arg_dict["data"][:] = x[2000 : 2000 + batch_size]
again = exe.forward()[0].asnumpy().argmax(axis=1)
assert (again == y[2000 : 2000 + batch_size]).mean() > 0.85
