"""Neural style: a picture gets the features of one picture, and their products of another."""

import mxnet as mx
import numpy as np

mx.random.seed(30)
rng = np.random.RandomState(30)
size = 32


def features():
    """A small network of random filters; what it computes at several depths."""
    net, style, content = mx.sym.Variable("data"), [], None
    for layer, filters in enumerate([8, 16]):
        net = mx.sym.Convolution(
            data=net, num_filter=filters, pad=(1, 1), kernel=(3, 3), name="conv%d" % layer
        )
        net = mx.sym.Activation(data=net, act_type="relu", name="relu%d" % layer)
        style.append(net)
        content = net
        net = mx.sym.Pooling(data=net, pad=(0, 0), kernel=(2, 2), stride=(2, 2), pool_type="avg")
    return mx.sym.Group(style), content


def style_gram_symbol(style):
    _, output_shapes, _ = style.infer_shape(data=(1, 3, size, size))
    gram_list, grad_scale = [], []
    for i in range(len(style.list_outputs())):
        shape = output_shapes[i]
        x = mx.sym.Reshape(style[i], target_shape=(int(shape[1]), int(np.prod(shape[2:]))))
        # the product with itself
        gram_list.append(mx.sym.FullyConnected(x, x, no_bias=True, num_hidden=shape[1]))
        grad_scale.append(np.prod(shape[1:]) * shape[1])
    return mx.sym.Group(gram_list), grad_scale


def get_loss(gram, content):
    gram_loss = []
    for i in range(len(gram.list_outputs())):
        gvar = mx.sym.Variable("target_gram_%d" % i)
        gram_loss.append(mx.sym.sum(mx.sym.square(gvar - gram[i])))
    cvar = mx.sym.Variable("target_content")
    content_loss = mx.sym.sum(mx.sym.square(cvar - content))
    return mx.sym.Group(gram_loss), content_loss


def get_tv_grad_executor(img, ctx, tv_weight):
    """How much each point differs from the mean of its neighbours, by a convolution of each channel."""
    sconv = mx.sym.SliceChannel(mx.sym.Variable("img"), num_outputs=3)
    kernel = mx.sym.Variable("kernel")
    out = mx.sym.Concat(
        *[
            mx.sym.Convolution(
                data=sconv[i],
                weight=kernel,
                num_filter=1,
                kernel=(3, 3),
                pad=(1, 1),
                no_bias=True,
                stride=(1, 1),
            )
            for i in range(3)
        ]
    )
    kernel = mx.nd.array(np.array([[0, -1, 0], [-1, 4, -1], [0, -1, 0]]).reshape((1, 1, 3, 3)), ctx) / 8.0
    return (out * tv_weight).bind(ctx, args={"img": img, "kernel": kernel})


class Executor(object):
    def __init__(self, symbol, ctx, params, grads):
        names = symbol.list_arguments()
        shapes, _, _ = symbol.infer_shape_partial(data=(1, 3, size, size))
        self.arg = {
            n: params[n].copy() if n in params else mx.nd.zeros(s, ctx) for n, s in zip(names, shapes)
        }
        self.data_grad = mx.nd.zeros((1, 3, size, size), ctx) if grads else None
        grad = {"data": self.data_grad} if grads else {}
        reqs = {name: "write" if name in grad else "null" for name in names}
        self.executor = symbol.bind(ctx=ctx, args=self.arg, args_grad=grad, grad_req=reqs)


ctx = mx.cpu()
y, x = np.mgrid[:size, :size]
content_np = np.where((y - 16) ** 2 + (x - 16) ** 2 < 100, 1.0, -1.0) * np.ones((1, 3, 1, 1))
style_np = np.sign(np.sin((x + y) * 0.9)) * np.array([1.0, 0.2, -0.6]).reshape((1, 3, 1, 1))

style, content = features()
gram, gscale = style_gram_symbol(style)
shapes, _, _ = content.infer_shape(data=(1, 3, size, size))
params = {
    name: mx.nd.random.normal(scale=np.sqrt(2.0 / np.prod(shape[1:])), shape=shape)
    if len(shape) == 4
    else mx.nd.zeros(shape)
    for name, shape in zip(content.list_arguments(), shapes)
    if name != "data"
}

model = Executor(mx.sym.Group([gram, content]), ctx, params, False)
model.arg["data"][:] = style_np
model.executor.forward()
style_array = [array.copyto(ctx) for array in model.executor.outputs[:-1]]
model.arg["data"][:] = content_np
model.executor.forward()
content_array = model.executor.outputs[-1].copyto(ctx)
content_grams = [array.copyto(ctx) for array in model.executor.outputs[:-1]]

style_loss, content_loss = get_loss(gram, content)
targets = {"target_gram_%d" % i: array for i, array in enumerate(style_array)}
targets["target_content"] = content_array
model = Executor(mx.sym.Group([style_loss, content_loss]), ctx, dict(params, **targets), True)
grad_array = [mx.nd.ones((1,), ctx) * (2.0 / scale) for scale in gscale]
grad_array.append(mx.nd.ones((1,), ctx) * 0.02)

img = mx.nd.random.uniform(-0.1, 0.1, content_np.shape, ctx=ctx)
optimizer = mx.optimizer.NAG(
    learning_rate=0.3,
    wd=0.0001,
    momentum=0.8,
    lr_scheduler=mx.lr_scheduler.FactorScheduler(step=60, factor=0.7),
)
optim_state = optimizer.create_state(0, img)
tv_grad_executor = get_tv_grad_executor(img, ctx, 0.01)
clip_norm = 0.25 * np.prod(img.shape)
course = []
for _ in range(200):
    img.copyto(model.arg["data"])
    model.executor.forward(is_train=True)
    model.executor.backward(grad_array)
    gnorm = mx.nd.norm(model.data_grad).asscalar()
    if gnorm > clip_norm:
        model.data_grad[:] *= clip_norm / gnorm
    tv_grad_executor.forward()
    optimizer.update(0, img, model.data_grad + tv_grad_executor.outputs[0], optim_state)
    course.append([float(out.asscalar()) for out in model.executor.outputs])


def far(grams):
    return np.mean(
        [float((mx.nd.norm(a - b) / mx.nd.norm(b)).asscalar()) for a, b in zip(grams, style_array)]
    )


check = Executor(mx.sym.Group([gram, content]), ctx, params, False)
check.arg["data"][:] = img
outs = check.executor.forward()
before, after = far(content_grams), far(outs[:-1])
alike = np.corrcoef(img.asnumpy().mean(axis=1).ravel(), content_np.mean(axis=1).ravel())[0, 1]
print("style %.3f, of the content's picture %.3f; correlation with the content %.2f" % (after, before, alike))
assert np.isfinite(course).all() and after < 0.5 * before and alike > 0.4
