"""A generative adversarial network: the gradient of the discriminator's input trains the generator."""

import mxnet as mx
import numpy as np

mx.random.seed(25)
rng = np.random.RandomState(25)
batch_size, size, noise = 32, 16, 8


class RandIter(mx.io.DataIter):
    def __init__(self, batch_size, ndim):
        self.batch_size = batch_size
        self.ndim = ndim
        self.provide_data = [("rand", (batch_size, ndim, 1, 1))]
        self.provide_label = []

    def iter_next(self):
        return True

    def getdata(self):
        return [mx.random.normal(0, 1.0, shape=(self.batch_size, self.ndim, 1, 1))]


def pictures(count):
    """A bright disc of one of a few sizes, anywhere, on a dark ground."""
    y, x = np.mgrid[:size, :size]
    centre = rng.uniform(5, 10, (count, 2, 1, 1))
    radius = rng.uniform(2.5, 4.5, (count, 1, 1))
    inside = (y - centre[:, 0]) ** 2 + (x - centre[:, 1]) ** 2 < radius**2
    return np.where(inside, 0.9, -0.9).astype("float32")[:, None]


def generator(ngf=16, eps=1e-5):
    net = mx.sym.Deconvolution(
        mx.sym.Variable("rand"), name="g1", kernel=(4, 4), num_filter=ngf * 2, no_bias=True
    )
    net = mx.sym.Activation(mx.sym.BatchNorm(net, name="gbn1", fix_gamma=True, eps=eps), act_type="relu")
    net = mx.sym.Deconvolution(
        net, name="g2", kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=ngf, no_bias=True
    )
    net = mx.sym.Activation(mx.sym.BatchNorm(net, name="gbn2", fix_gamma=True, eps=eps), act_type="relu")
    net = mx.sym.Deconvolution(
        net, name="g3", kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=1, no_bias=True
    )
    return mx.sym.Activation(net, name="gact3", act_type="tanh")


def discriminator(ndf=16, eps=1e-5):
    data, label = mx.sym.Variable("data"), mx.sym.Variable("label")
    net = mx.sym.Convolution(
        data, name="d1", kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=ndf, no_bias=True
    )
    net = mx.sym.LeakyReLU(net, name="dact1", act_type="leaky", slope=0.2)
    net = mx.sym.Convolution(
        net, name="d2", kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=ndf * 2, no_bias=True
    )
    net = mx.sym.BatchNorm(net, name="dbn2", fix_gamma=True, eps=eps)
    net = mx.sym.LeakyReLU(net, name="dact2", act_type="leaky", slope=0.2)
    net = mx.sym.Flatten(mx.sym.Convolution(net, name="d3", kernel=(4, 4), num_filter=1, no_bias=True))
    return mx.sym.LogisticRegressionOutput(data=net, label=label, name="dloss")


def facc(label, pred):
    pred, label = pred.ravel(), label.ravel()
    return ((pred > 0.5) == label).mean()


def fentropy(label, pred):
    pred, label = pred.ravel(), label.ravel()
    return -(label * np.log(pred + 1e-12) + (1.0 - label) * np.log(1.0 - pred + 1e-12)).mean()


train_iter = mx.io.NDArrayIter(pictures(512), batch_size=batch_size, shuffle=True)
rand_iter = RandIter(batch_size, noise)
label = mx.nd.zeros((batch_size,))

mod_g = mx.mod.Module(symbol=generator(), data_names=("rand",), label_names=None, context=mx.cpu())
mod_g.bind(data_shapes=rand_iter.provide_data)
mod_g.init_params(initializer=mx.init.Normal(0.05))
mod_g.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.002, "wd": 0.0, "beta1": 0.5})
mod_d = mx.mod.Module(symbol=discriminator(), data_names=("data",), label_names=("label",), context=mx.cpu())
mod_d.bind(
    data_shapes=train_iter.provide_data, label_shapes=[("label", (batch_size,))], inputs_need_grad=True
)
mod_d.init_params(initializer=mx.init.Normal(0.05))
mod_d.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.001, "wd": 0.0, "beta1": 0.5})

monitor = mx.mon.Monitor(
    100, stat_func=lambda x: mx.nd.norm(x) / np.sqrt(x.size), pattern=".*output|d1_weight", sort=True
)
mod_g.install_monitor(monitor)
shown = []
m_acc, m_entropy = mx.metric.CustomMetric(facc), mx.metric.CustomMetric(fentropy)
for epoch in range(12):
    train_iter.reset()
    m_acc.reset()
    m_entropy.reset()
    for batch in train_iter:
        rbatch = rand_iter.next()
        monitor.tic()
        mod_g.forward(rbatch, is_train=True)
        fake = mod_g.get_outputs()
        # the discriminator on what is made, then on what is real; both gradients together
        label[:] = 0
        mod_d.forward(mx.io.DataBatch(fake, [label]), is_train=True)
        mod_d.backward()
        grads = [[grad.copyto(grad.context) for grad in grads] for grads in mod_d._exec_group.grad_arrays]
        mod_d.update_metric(m_acc, [label])
        mod_d.update_metric(m_entropy, [label])
        label[:] = 1
        batch.label = [label]
        mod_d.forward(batch, is_train=True)
        mod_d.backward()
        for real, made in zip(mod_d._exec_group.grad_arrays, grads):
            for gradr, gradf in zip(real, made):
                gradr += gradf
        mod_d.update()
        mod_d.update_metric(m_acc, [label])
        mod_d.update_metric(m_entropy, [label])
        # the generator
        label[:] = 1
        mod_d.forward(mx.io.DataBatch(fake, [label]), is_train=True)
        mod_d.backward()
        mod_g.backward(mod_d.get_input_grads())
        mod_g.update()
        shown += monitor.toc()
    print("epoch %d accuracy %.3f entropy %.3f" % (epoch, m_acc.get()[1], m_entropy.get()[1]))
assert any(name == "gact3_output" for _, name, _ in shown), shown

real, made = pictures(256)[:, 0], []
for _ in range(8):
    mod_g.forward(rand_iter.next(), is_train=False)
    made.append(mod_g.get_outputs()[0].asnumpy()[:, 0])
made = np.concatenate(made)
bright = (real > 0).mean(), (made > 0).mean()
# Discs have few edges: neighbours are alike. Noise of as many bright points has many more.
edges = [(np.abs(np.diff((x > 0).astype("float32"), axis=2))).mean() for x in (real, made)]
spread = [x.std(axis=0).mean() for x in (real, made)]
print("bright %.3f %.3f, edges %.3f %.3f, spread %.3f %.3f" % (*bright, *edges, *spread))
assert abs(bright[0] - bright[1]) < 0.08 and edges[1] < 1.8 * edges[0] and spread[1] > 0.4 * spread[0]
mod_g.save_params("generator.params")
