"""A training step of a small network, imperatively: 784-512-256-10, batches of 64, descent with momentum."""

from __future__ import annotations

import importlib
from typing import Any

from bench.arrays import module_of, to_array
from bench.case import Call, Case, Goal, Setup
from bench.inputs import integers, uniform

LAYERS = (784, 512, 256, 10)
BATCH = 64
BATCHES = 16
STEPS = 16  # in one call; the weights are waited for once, as a training loop does that prints now and then
RATE, MOMENTUM = 1e-3, 0.9

_PRODUCTS = [inputs * outputs for inputs, outputs in zip(LAYERS, LAYERS[1:])]
# Forward, gradients of the weights, gradients of the data except the first layer's.
FLOPS = 2 * BATCH * (2 * sum(_PRODUCTS) + sum(_PRODUCTS[1:]))
# Weights, gradients and momenta, each read and written once.
WEIGHTS = sum(_PRODUCTS) + sum(LAYERS[1:])


def _values() -> tuple[list[Any], list[Any], list[Any]]:
    """Weights and biases in turn, batches of data, batches of labels; the same for every library."""
    parameters: list[Any] = []
    for seed, (inputs, outputs) in enumerate(zip(LAYERS, LAYERS[1:])):
        bound = inputs**-0.5
        parameters.append(uniform(outputs, inputs, seed=seed, low=-bound, high=bound))
        parameters.append(uniform(outputs, seed=10 + seed, low=-bound, high=bound))
    data = [uniform(BATCH, LAYERS[0], seed=100 + i) for i in range(BATCHES)]
    labels = [integers(BATCH, below=LAYERS[-1], seed=200 + i) for i in range(BATCHES)]
    return parameters, data, labels


def _mx(key: str) -> Setup:
    """mixgrad and MXNet: the same lines. One call of the updater, or of the operator that it stands for."""

    def setup() -> Call:
        mx: Any = importlib.import_module(module_of(key))
        parameters, data, labels = _values()
        weights = [to_array(mx, value) for value in parameters]
        batches = [(to_array(mx, x), to_array(mx, y.astype("float32"))) for x, y in zip(data, labels)]
        for weight in weights:
            weight.attach_grad()
        indices = list(range(len(weights)))
        grads = [weight.grad for weight in weights]
        sgd = mx.optimizer.SGD(learning_rate=RATE, momentum=MOMENTUM, rescale_grad=1 / BATCH)
        updater = mx.optimizer.get_updater(sgd)
        momenta = [mx.nd.zeros(weight.shape) for weight in weights]
        operands = [array for group in zip(weights, grads, momenta) for array in group]
        rates, decays = [RATE] * len(weights), [0.0] * len(weights)
        w1, b1, w2, b2, w3, b3 = weights
        layer, relu, loss_of = mx.nd.FullyConnected, mx.nd.relu, mx.nd.softmax_cross_entropy

        def update_all() -> None:
            mx.nd.multi_sgd_mom_update(
                *operands,
                lrs=rates,
                wds=decays,
                momentum=MOMENTUM,
                rescale_grad=1 / BATCH,
                num_weights=len(weights),
                out=weights,
            )

        def call() -> Any:
            for x, label in batches:
                with mx.autograd.record():
                    h = relu(layer(x, w1, b1, num_hidden=LAYERS[1]))
                    h = relu(layer(h, w2, b2, num_hidden=LAYERS[2]))
                    loss = loss_of(layer(h, w3, b3, num_hidden=LAYERS[3]), label)
                loss.backward()
                if key == "mixgrad_multi":
                    update_all()
                else:
                    updater(indices, grads, weights)
            mx.nd.waitall()
            return w1

        return call

    return setup


def _module(key: str) -> Setup:
    """The same step through a bound graph and a Module, as symbolic programs are written."""

    def setup() -> Call:
        mx: Any = importlib.import_module(module_of(key))
        parameters, data, labels = _values()
        net = mx.sym.Variable("data")
        for i, units in enumerate(LAYERS[1:], start=1):
            net = mx.sym.FullyConnected(net, num_hidden=units, name=f"fc{i}")
            if i < len(LAYERS) - 1:
                net = mx.sym.Activation(net, act_type="relu")
        mod = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
        mod.bind([("data", (BATCH, LAYERS[0]))], [("softmax_label", (BATCH,))])
        names = [f"fc{i}_{kind}" for i in range(1, len(LAYERS)) for kind in ("weight", "bias")]
        values = {name: to_array(mx, value) for name, value in zip(names, parameters)}
        mod.init_params(arg_params=values, aux_params={})
        mod.init_optimizer(optimizer_params={"learning_rate": RATE, "momentum": MOMENTUM, "wd": 0.0})
        batches = [
            mx.io.DataBatch([to_array(mx, x)], [to_array(mx, y.astype("float32"))], pad=0)
            for x, y in zip(data, labels)
        ]

        def call() -> Any:
            for batch in batches:
                mod.forward_backward(batch)
                mod.update()
            mx.nd.waitall()
            return mod._exec_group.execs[0].arg_dict["fc1_weight"]

        return call

    return setup


def _gluon(key: str, hybrid: bool) -> Setup:
    """The same step by Gluon's layers, loss and trainer, which is what its users write."""

    def setup() -> Call:
        mx: Any = importlib.import_module(module_of(key))
        nn = importlib.import_module(f"{module_of(key)}.gluon.nn")
        parameters, data, labels = _values()
        net = nn.HybridSequential()
        for i, (inputs, units) in enumerate(zip(LAYERS, LAYERS[1:]), start=2):
            net.add(nn.Dense(units, in_units=inputs, activation="relu" if i < len(LAYERS) else None))
        net.initialize()
        for parameter, value in zip(net.collect_params().values(), parameters):
            parameter.set_data(to_array(mx, value))
        loss_of = mx.gluon.loss.SoftmaxCrossEntropyLoss()
        if hybrid:
            net.hybridize(static_alloc=True, static_shape=True)
            loss_of.hybridize(static_alloc=True, static_shape=True)
        options = {"learning_rate": RATE, "momentum": MOMENTUM}
        trainer = mx.gluon.Trainer(net.collect_params(), "sgd", options)
        batches = [(to_array(mx, x), to_array(mx, y.astype("float32"))) for x, y in zip(data, labels)]

        def call() -> Any:
            for x, label in batches:
                with mx.autograd.record():
                    loss = loss_of(net(x), label)
                loss.backward()
                trainer.step(BATCH)
            mx.nd.waitall()
            return net[0].weight.data()

        return call

    return setup


def _torch(**options: bool) -> Setup:
    """PyTorch, eager, with the options of its optimiser."""

    def setup() -> Call:
        torch: Any = importlib.import_module("torch")
        nn = torch.nn
        parameters, data, labels = _values()
        net = nn.Sequential(
            nn.Linear(LAYERS[0], LAYERS[1]),
            nn.ReLU(),
            nn.Linear(LAYERS[1], LAYERS[2]),
            nn.ReLU(),
            nn.Linear(LAYERS[2], LAYERS[3]),
        )
        with torch.no_grad():
            for parameter, value in zip(net.parameters(), parameters):
                parameter.copy_(torch.from_numpy(value))
        batches = [(to_array(torch, x), to_array(torch, y)) for x, y in zip(data, labels)]
        sgd = torch.optim.SGD(net.parameters(), lr=RATE, momentum=MOMENTUM, **options)
        loss_of = nn.functional.cross_entropy

        def call() -> Any:
            for x, label in batches:
                loss = loss_of(net(x), label)
                sgd.zero_grad()
                loss.backward()
                sgd.step()
            return net[0].weight

        return call

    return setup


def _jax() -> Setup:
    """JAX: one compiled function for the whole step, which may write its results over its arguments."""

    def setup() -> Call:
        jax: Any = importlib.import_module("jax")
        jnp: Any = importlib.import_module("jax.numpy")
        values, data, labels = _values()
        batches = [(jnp.asarray(x), jnp.asarray(y)) for x, y in zip(data, labels)]

        def loss_of(weights: list[Any], x: Any, label: Any) -> Any:
            w1, b1, w2, b2, w3, b3 = weights
            h = jax.nn.relu(x @ w1.T + b1)
            h = jax.nn.relu(h @ w2.T + b2)
            scores = jax.nn.log_softmax(h @ w3.T + b3)
            return -jnp.take_along_axis(scores, label[:, None], 1).mean()

        def step(weights: list[Any], momenta: list[Any], x: Any, label: Any) -> Any:
            grads = jax.grad(loss_of)(weights, x, label)
            momenta = [MOMENTUM * m - RATE * g for m, g in zip(momenta, grads)]
            return [w + m for w, m in zip(weights, momenta)], momenta

        compiled = jax.jit(step, donate_argnums=(0, 1))
        state = [[jnp.asarray(value) for value in values], [jnp.zeros(v.shape, v.dtype) for v in values]]

        def call() -> Any:
            for x, label in batches:
                state[:] = compiled(*state, x, label)
            return state[0][0].block_until_ready()

        return call

    return setup


CASES = [
    Case(
        "mlp",
        "training step of a 784-512-256-10 network, batch 64",
        {
            "mixgrad": _mx("mixgrad"),
            "mixgrad_multi": _mx("mixgrad_multi"),
            "torch": _torch(),
            "torch_foreach": _torch(foreach=True),
            "torch_fused": _torch(fused=True),
            "mxnet": _mx("mxnet"),
        },
        count=STEPS,
        unit="step",
        reads=3 * 4 * WEIGHTS,
        writes=3 * 4 * WEIGHTS,
        flops=FLOPS,
        goal=Goal(("torch", "torch_foreach", "torch_fused")),
        tolerance=1e-3,
    ),
    Case(
        "mlp_module",
        "the same through a Module (symbolic)",
        {
            "mixgrad": _module("mixgrad"),
            "torch": _torch(),
            "torch_foreach": _torch(foreach=True),
            "torch_fused": _torch(fused=True),
            "jax": _jax(),
            "mxnet": _module("mxnet"),
        },
        count=STEPS,
        unit="step",
        reads=3 * 4 * WEIGHTS,
        writes=3 * 4 * WEIGHTS,
        flops=FLOPS,
        goal=(Goal(("torch", "torch_foreach", "torch_fused"), 3.0), Goal(("jax",))),
        tolerance=1e-3,
    ),
    *(
        Case(
            "mlp_hybrid" if hybrid else "mlp_gluon",
            f"the same by Gluon's layers and trainer{', hybridised' if hybrid else ''}",
            {
                "mixgrad": _gluon("mixgrad", hybrid),
                "torch": _torch(),
                "torch_foreach": _torch(foreach=True),
                "torch_fused": _torch(fused=True),
                **({"jax": _jax()} if hybrid else {}),
                "mxnet": _gluon("mxnet", hybrid),
            },
            count=STEPS,
            unit="step",
            reads=3 * 4 * WEIGHTS,
            writes=3 * 4 * WEIGHTS,
            flops=FLOPS,
            goal=(Goal(("torch",), 2.5), *([Goal(("jax",))] if hybrid else [])),
            tolerance=1e-3,
        )
        for hybrid in (False, True)
    ),
]
