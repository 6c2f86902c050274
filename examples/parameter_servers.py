"""Trains a classifier of handwritten digits with parameter servers and workers, each started by hand.

One command for each process, on whichever machines the addresses name; here two servers and two workers:

    HOSTS="--ps_hosts=127.0.0.1:2222,127.0.0.1:2223 --worker_hosts=127.0.0.1:2224,127.0.0.1:2225"
    python examples/parameter_servers.py $HOSTS --job_name=ps --task_index=0
    python examples/parameter_servers.py $HOSTS --job_name=ps --task_index=1
    python examples/parameter_servers.py $HOSTS --job_name=worker --task_index=0
    python examples/parameter_servers.py $HOSTS --job_name=worker --task_index=1

The data are the UCI digits that scikit-learn ships. Worker 0 is the chief: it gives the first values, or
those of the last checkpoint in --logdir, writes checkpoints and summaries, and prints the accuracy on digits
that were held out. Other machines than this one need keys (mixgrad keys, MIXGRAD_KEYS).
"""

from __future__ import annotations

import argparse

import numpy as np

import mixgrad as mx

HIDDEN, CLASSES = 64, 10
Arrays = dict[str, mx.nd.NDArray]


def load(part: int, parts: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """This worker's share of the pictures and labels to train on, and those held out."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    pictures = (digits.data / 16).astype("float32")
    order = np.random.RandomState(0).permutation(len(pictures))
    test, train = order[: len(order) // 5], order[len(order) // 5 :][part::parts]
    return pictures[train], digits.target[train], pictures[test], digits.target[test]


def first_values(pixels: int) -> Arrays:
    """Two layers."""
    random = np.random.RandomState(1)
    shapes = {"hidden_weight": (HIDDEN, pixels), "hidden_bias": (HIDDEN,)}
    shapes |= {"out_weight": (CLASSES, HIDDEN), "out_bias": (CLASSES,)}
    return {
        name: mx.nd.array(random.normal(scale=0.1 if len(shape) > 1 else 0, size=shape))
        for name, shape in shapes.items()
    }


def scores(values: Arrays, pictures: mx.nd.NDArray) -> mx.nd.NDArray:
    """Of each class."""
    hidden = mx.nd.FullyConnected(pictures, values["hidden_weight"], values["hidden_bias"], num_hidden=HIDDEN)
    return mx.nd.FullyConnected(
        mx.nd.relu(hidden), values["out_weight"], values["out_bias"], num_hidden=CLASSES
    )


def work(options: argparse.Namespace, cluster: mx.distributed.ClusterSpec, target: str) -> None:
    """What a worker does."""
    count = cluster.num_tasks("worker")
    pictures, labels, test_pictures, test_labels = load(options.task_index, count)
    optimizer = mx.optimizer.SGD(learning_rate=options.rate, momentum=0.9)
    if options.sync:
        optimizer = mx.distributed.SyncReplicas(
            optimizer,
            replicas_to_aggregate=options.replicas_to_aggregate or count,
            total_num_replicas=count,
        )
    variables = mx.distributed.SharedVariables(
        first_values(pictures.shape[1]),
        optimizer,
        device=mx.distributed.replica_device_setter(cluster=cluster, ps_strategy=options.strategy),
    )
    last_loss = mx.nd.zeros((1,))

    def accuracy() -> float:
        found = scores(variables.values, mx.nd.array(test_pictures)).asnumpy().argmax(1)
        return float((found == test_labels).mean())

    def step() -> int:
        rows = random.randint(0, len(pictures), options.batch_size)
        for value in variables.values.values():
            value.attach_grad()
        with mx.autograd.record():
            output = mx.nd.log_softmax(scores(variables.values, mx.nd.array(pictures[rows])))
            loss = -mx.nd.pick(output, mx.nd.array(labels[rows])).mean()
        loss.backward()
        loss.copyto(last_loss)
        variables.apply({name: value.grad for name, value in variables.values.items()})
        return variables.global_step

    random = np.random.RandomState(100 + options.task_index)
    is_chief = options.task_index == 0
    supervisor = mx.distributed.Supervisor(
        is_chief=is_chief,
        logdir=options.logdir,
        init=variables.start,
        saver=mx.distributed.Saver(variables) if options.logdir else None,
        summary=(lambda: {"loss": float(last_loss), "accuracy": accuracy()}) if options.logdir else None,
        global_step=lambda: variables.global_step,
        save_model_secs=options.save_model_secs,
    )
    done = 0
    with supervisor.managed_session(target) as session:
        while not supervisor.should_stop() and done < options.steps:
            done = session.run(step)
    print(f"worker {options.task_index}: step {done}, {variables.dropped} of its own dropped")
    if is_chief:
        print(f"accuracy {accuracy():.4f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    add("--ps_hosts", required=True, help="addresses of the servers, with commas between them")
    add("--worker_hosts", required=True, help="addresses of the workers")
    add("--job_name", required=True, choices=["ps", "worker"], help="what this process is")
    add("--task_index", type=int, required=True, help="and which of them")
    add("--steps", type=int, default=400, help="global steps to train to")
    add("--batch_size", type=int, default=32)
    add("--rate", type=float, default=0.1)
    add("--sync", action="store_true", help="steps of all workers together")
    add("--replicas_to_aggregate", type=int, help="how many gradients make a step, with --sync")
    add("--strategy", default="round_robin", help="where variables lie: round_robin or bytes")
    add("--logdir", help="folder of checkpoints and summaries")
    add("--save_model_secs", type=float, default=600.0, help="seconds between checkpoints")
    options = parser.parse_args()
    cluster = mx.distributed.ClusterSpec(
        {"ps": options.ps_hosts.split(","), "worker": options.worker_hosts.split(",")}
    )
    server = mx.distributed.Server(cluster, job_name=options.job_name, task_index=options.task_index)
    if options.job_name == "ps":
        server.join()
    else:
        work(options, cluster, server.target)


if __name__ == "__main__":
    main()
