"""The usual training script: idx files, arguments, schedules, checkpoints, training that goes on from one."""

import argparse
import gzip
import logging
import os
import struct

import mxnet as mx
import numpy as np


def add_fit_args(parser):
    train = parser.add_argument_group("Training", "model training")
    train.add_argument("--network", type=str, default="lenet", choices=["mlp", "lenet"])
    train.add_argument("--gpus", type=str)
    train.add_argument("--kv-store", type=str, default="device")
    train.add_argument("--num-epochs", type=int, default=4)
    train.add_argument("--lr", type=float, default=0.1)
    train.add_argument("--lr-factor", type=float, default=0.3)
    train.add_argument("--lr-step-epochs", type=str, default="2,3")
    train.add_argument("--optimizer", type=str, default="sgd")
    train.add_argument("--mom", type=float, default=0.9)
    train.add_argument("--wd", type=float, default=0.0001)
    train.add_argument("--batch-size", type=int, default=50)
    train.add_argument("--disp-batches", type=int, default=10)
    train.add_argument("--model-prefix", type=str, default="model")
    train.add_argument("--monitor", dest="monitor", type=int, default=0)
    train.add_argument("--load-epoch", type=int)
    train.add_argument("--top-k", type=int, default=2)
    return train


def write_digits(prefix, count, rng):
    """Pictures of seven-segment digits, moved and noisy, in files as those of MNIST."""
    lit = ["012456", "25", "02346", "02356", "1235", "01356", "013456", "025", "0123456", "012356"]
    boxes = [
        (2, 3, 3, 9),
        (2, 8, 3, 4),
        (2, 8, 8, 9),
        (7, 8, 3, 9),
        (8, 14, 3, 4),
        (8, 14, 8, 9),
        (13, 14, 3, 9),
    ]
    label = rng.randint(0, 10, count).astype("uint8")
    images = rng.randint(0, 60, (count, 16, 12)).astype("uint8")
    for image, digit in zip(images, label):
        dy, dx = rng.randint(-1, 2, 2)
        for segment in lit[digit]:
            top, bottom, left, right = boxes[int(segment)]
            image[top + dy : bottom + dy + 1, left + dx : right + dx + 1] = rng.randint(150, 255)
    with gzip.open(prefix + "-labels-idx1-ubyte.gz", "wb") as file:
        file.write(struct.pack(">II", 2049, count) + label.tobytes())
    with gzip.open(prefix + "-images-idx3-ubyte.gz", "wb") as file:
        file.write(struct.pack(">IIII", 2051, count, 16, 12) + images.tobytes())


def read_data(label_path, image_path):
    with gzip.open(label_path) as file:
        struct.unpack(">II", file.read(8))
        label = np.frombuffer(file.read(), dtype=np.int8)
    with gzip.open(image_path, "rb") as file:
        _, _, rows, cols = struct.unpack(">IIII", file.read(16))
        image = np.frombuffer(file.read(), dtype=np.uint8).reshape(len(label), rows, cols)
    return label, image


def to4d(img):
    return img.reshape(img.shape[0], 1, 16, 12).astype(np.float32) / 255


def get_iter(args, kv):
    parts = [
        read_data(name + "-labels-idx1-ubyte.gz", name + "-images-idx3-ubyte.gz")
        for name in ("train", "t10k")
    ]
    return tuple(
        mx.io.NDArrayIter(to4d(image), label, args.batch_size, shuffle=i == 0)
        for i, (label, image) in enumerate(parts)
    )


def get_symbol(network, num_classes=10):
    data = mx.sym.Variable("data")
    if network == "mlp":
        net = mx.sym.Activation(
            mx.sym.FullyConnected(mx.sym.Flatten(data), num_hidden=64, name="fc1"), act_type="relu"
        )
    else:
        net = data
        for i, filters in enumerate((8, 16)):
            net = mx.sym.Convolution(data=net, kernel=(3, 3), num_filter=filters, name="conv%d" % i)
            net = mx.sym.Pooling(
                mx.sym.Activation(net, act_type="tanh"), pool_type="max", kernel=(2, 2), stride=(2, 2)
            )
        net = mx.sym.Activation(
            mx.sym.FullyConnected(mx.sym.flatten(net), num_hidden=48, name="fc1"), act_type="tanh"
        )
    return mx.sym.SoftmaxOutput(
        mx.sym.FullyConnected(net, num_hidden=num_classes, name="fc2"), name="softmax"
    )


def get_lr_scheduler(args, epoch_size):
    begin_epoch = args.load_epoch or 0
    step_epochs, lr = [int(number) for number in args.lr_step_epochs.split(",")], args.lr
    for step in step_epochs:
        if begin_epoch >= step:
            lr *= args.lr_factor
    steps = [epoch_size * (x - begin_epoch) for x in step_epochs if x > begin_epoch]
    if not steps:
        return lr, None
    return lr, mx.lr_scheduler.MultiFactorScheduler(step=steps, factor=args.lr_factor, base_lr=lr)


def fit(args, network, data_loader):
    kv = mx.kvstore.create(args.kv_store)
    logging.basicConfig(level=logging.DEBUG, format="%(asctime)-15s Node[" + str(kv.rank) + "] %(message)s")
    train, val = data_loader(args, kv)
    sym, arg_params, aux_params = network, None, None
    if args.load_epoch is not None:
        sym, arg_params, aux_params = mx.model.load_checkpoint(args.model_prefix, args.load_epoch)
        assert sym.list_arguments() == network.list_arguments()
    devs = mx.cpu() if not args.gpus else [mx.gpu(int(i)) for i in args.gpus.split(",")]
    lr, lr_scheduler = get_lr_scheduler(args, train.num_data // args.batch_size)
    model = mx.mod.Module(context=devs, symbol=sym)
    optimizer_params = {
        "learning_rate": lr,
        "wd": args.wd,
        "lr_scheduler": lr_scheduler,
        "multi_precision": True,
    }
    if args.optimizer in {"sgd", "dcasgd", "nag"}:
        optimizer_params["momentum"] = args.mom
    seen = {}
    eval_metrics = ["accuracy", mx.metric.create("top_k_accuracy", top_k=args.top_k)]
    model.fit(
        train,
        begin_epoch=args.load_epoch or 0,
        num_epoch=args.num_epochs,
        eval_data=val,
        eval_metric=eval_metrics,
        kvstore=kv,
        optimizer=args.optimizer,
        optimizer_params=optimizer_params,
        initializer=mx.init.Xavier(rnd_type="gaussian", factor_type="in", magnitude=2),
        arg_params=arg_params,
        aux_params=aux_params,
        batch_end_callback=[mx.callback.Speedometer(args.batch_size, args.disp_batches)],
        epoch_end_callback=mx.callback.do_checkpoint(args.model_prefix if kv.rank == 0 else "other"),
        eval_end_callback=lambda param: seen.update(param.eval_metric.get_name_value()),
        allow_missing=True,
        monitor=mx.mon.Monitor(args.monitor, pattern=".*") if args.monitor > 0 else None,
    )
    return model, seen


parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
add_fit_args(parser)
args = parser.parse_args()
mx.random.seed(39)
np.random.seed(39)
rng = np.random.RandomState(39)
write_digits("train", 1500, rng)
write_digits("t10k", 300, rng)

model, seen = fit(args, get_symbol(args.network), get_iter)
print(seen)
assert seen["accuracy"] > 0.95 and seen["top_k_accuracy_2"] >= seen["accuracy"]
assert all(os.path.exists("model-%04d.params" % epoch) for epoch in (1, 2, 3, 4))

# The last two epochs again, from the checkpoint in the middle.
again, seen = fit(parser.parse_args(["--load-epoch", "2", "--monitor", "20"]), get_symbol("lenet"), get_iter)
print(seen)
assert seen["accuracy"] > 0.95

loaded = mx.mod.Module.load("model", 4)
test = get_iter(args, None)[1]
loaded.bind(data_shapes=test.provide_data, label_shapes=test.provide_label, for_training=False)
assert dict(loaded.score(test, "acc"))["accuracy"] == seen["accuracy"]
