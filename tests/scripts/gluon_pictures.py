"""A residual network on small pictures in Gluon: worker processes, transforms, the estimator, checkpoints."""

import os
import tempfile
import warnings

import mxnet as mx
import numpy as np
from mxnet import gluon
from mxnet.gluon.contrib.estimator import estimator, event_handler
from mxnet.gluon.data.vision import transforms
from mxnet.gluon.model_zoo import vision

mx.random.seed(5)
np.random.seed(5)
rng = np.random.RandomState(1)
warnings.filterwarnings("ignore", message=".*(more of|greater).*")


def picture(label):
    """Stripes down, stripes across, or squares, in random colours, with noise."""
    x, y = np.meshgrid(np.arange(20), np.arange(20))
    at = rng.randint(0, 8)
    pattern = [(x + at) // 3 % 2, (y + at) // 3 % 2, ((x + at) // 3 + (y + at) // 3) % 2][label]
    colours = rng.randint(0, 255, (2, 3))
    colours[1] = (colours[0] + 128) % 255
    return np.clip(colours[pattern] + rng.randint(-30, 30, (20, 20, 3)), 0, 255).astype(np.uint8)


def dataset(count):
    labels = rng.randint(0, 3, count).astype(np.float32)
    return gluon.data.ArrayDataset([mx.nd.array(picture(int(i)), dtype="uint8") for i in labels], labels)


train_steps = transforms.Compose(
    [
        transforms.RandomResizedCrop(16, scale=(0.7, 1.0)),
        transforms.RandomFlipLeftRight(),
        transforms.RandomColorJitter(0.1, 0.1, 0.1, 0.1),
        transforms.ToTensor(),
        transforms.Normalize(0.5, 0.25),
    ]
)
test_steps = transforms.Compose(
    [
        transforms.CenterCrop(16),
        transforms.ToTensor(),
        transforms.Normalize((0.5, 0.5, 0.5), (0.25, 0.25, 0.25)),
    ]
)

train = gluon.data.DataLoader(
    dataset(384).transform_first(train_steps),
    batch_size=32,
    shuffle=True,
    num_workers=2,
    last_batch="rollover",
)
test = gluon.data.DataLoader(dataset(96).transform_first(test_steps), batch_size=32, num_workers=1)

net = vision.ResNetV2(vision.BasicBlockV2, [1, 1], [8, 16, 32], classes=3, thumbnail=True)
net.initialize(mx.init.Xavier(magnitude=2.24))
net.hybridize()
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
est = estimator.Estimator(
    net, gluon.loss.SoftmaxCrossEntropyLoss(), train_metrics=mx.metric.Accuracy(), trainer=trainer
)
folder = tempfile.mkdtemp()
handlers = [
    event_handler.CheckpointHandler(folder, "net", monitor=est.val_metrics[0], save_best=True),
    event_handler.LoggingHandler(metrics=est.train_metrics + est.val_metrics),
]
est.fit(train, val_data=test, epochs=6, event_handlers=handlers)
accuracy = est.val_metrics[0].get()[1]
assert accuracy > 0.9, accuracy

# The best parameters, in a network of the same kind and as a graph.
x, y = (part.as_in_context(mx.cpu()) for part in next(iter(test)))
again = vision.ResNetV2(vision.BasicBlockV2, [1, 1], [8, 16, 32], classes=3, thumbnail=True)
again.load_parameters(os.path.join(folder, "net-best.params"))
assert (again(x).asnumpy().argmax(axis=1) == y.asnumpy()).mean() > 0.9
net.export(os.path.join(folder, "exported"))
graph = gluon.SymbolBlock.imports(
    os.path.join(folder, "exported-symbol.json"), ["data"], os.path.join(folder, "exported-0000.params")
)
assert np.allclose(graph(x).asnumpy(), net(x).asnumpy(), atol=1e-4)
print("accuracy", accuracy)
