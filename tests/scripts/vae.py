"""A variational autoencoder: samples drawn inside of the graph, a loss of two parts."""

import mxnet as mx
import numpy as np

mx.random.seed(26)
rng = np.random.RandomState(26)
n_batch, n_latent, n_hidden, width = 50, 2, 48, 64

# Bars whose place and width are the two hidden numbers.
place, extent = rng.uniform(10, 54, (2000, 1)), rng.uniform(3, 12, (2000, 1))
points = (np.abs(np.arange(width) - place) < extent).astype("float32")
train = mx.io.NDArrayIter(
    data={"data": points[:1600]}, label={"loss_label": points[:1600]}, batch_size=n_batch
)


def losses(x, y, mu, logvar):
    kl = -0.5 * mx.symbol.sum(1 + logvar - mx.symbol.pow(mu, 2) - mx.symbol.exp(logvar), axis=1)
    log_loss = -mx.symbol.sum(
        mx.symbol.broadcast_mul(x, mx.symbol.log(y + 1e-6))
        + mx.symbol.broadcast_mul(1 - x, mx.symbol.log(1 - y + 1e-6)),
        axis=1,
    )
    return kl, log_loss


def encoder():
    hidden = mx.sym.FullyConnected(data=mx.sym.var("data"), name="encoder_h", num_hidden=n_hidden)
    hidden = mx.sym.Activation(data=hidden, act_type="tanh", name="act_h")
    mu = mx.sym.FullyConnected(data=hidden, name="mu", num_hidden=n_latent)
    logvar = mx.sym.FullyConnected(data=hidden, name="logvar", num_hidden=n_latent)
    return mu, logvar


def decoder(z):
    hidden = mx.sym.Activation(
        mx.sym.FullyConnected(data=z, name="decoder_z", num_hidden=n_hidden), act_type="tanh", name="act_z"
    )
    return mx.sym.sigmoid(mx.sym.FullyConnected(data=hidden, name="decoder_x", num_hidden=width))


mu, logvar = encoder()
z = mu + mx.symbol.exp(0.5 * logvar) * mx.symbol.random_normal(loc=0, scale=1, shape=(n_batch, n_latent))
y = decoder(z)
kl, log_loss = losses(mx.symbol.Variable("loss_label"), y, mu, logvar)
net = mx.symbol.Group(
    [
        mx.symbol.MakeLoss(kl + log_loss, name="elbo", normalization="batch"),
        mx.symbol.BlockGrad(kl),
        mx.symbol.BlockGrad(y, name="y"),
    ]
)


class Elbo(mx.metric.EvalMetric):
    def __init__(self):
        super(Elbo, self).__init__("minus-elbo")

    def update(self, labels, preds):
        self.sum_metric += mx.nd.sum(preds[0]).asscalar()
        self.num_inst += preds[0].size


model = mx.mod.Module(net, data_names=["data"], label_names=["loss_label"], context=mx.cpu())
course = []
model.fit(
    train,
    initializer=mx.init.Xavier(),
    optimizer="adam",
    optimizer_params={"learning_rate": 5e-3, "rescale_grad": 1.0},
    num_epoch=40,
    eval_metric=Elbo(),
    epoch_end_callback=mx.callback.do_checkpoint("vae", period=20),
    batch_end_callback=lambda param: course.append(param.eval_metric.get()[1]),
)
print("minus elbo %.2f, then %.2f" % (course[0], course[-1]))
assert course[-1] < 0.45 * course[0]

# The two halves alone, from the checkpoint.
loaded, arg_params, aux_params = mx.model.load_checkpoint("vae", 40)
encode = mx.mod.Module(mx.sym.Group(list(encoder())), label_names=None)
encode.bind([("data", (400, width))], for_training=False)
encode.set_params(arg_params, aux_params, allow_extra=True)
encode.forward(mx.io.DataBatch([mx.nd.array(points[1600:])]), is_train=False)
codes = encode.get_outputs()[0]
decode = decoder(mx.sym.var("z")).bind(
    mx.cpu(), args={"z": codes, **{k: v for k, v in arg_params.items() if k.startswith("decoder")}}
)
again = decode.forward()[0].asnumpy()
wrong = ((again > 0.5) != (points[1600:] > 0.5)).mean()
print("wrong points %.3f of %.3f" % (wrong, points.mean()))
assert wrong < 0.06
