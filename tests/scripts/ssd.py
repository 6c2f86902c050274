"""Single-shot detection: anchors, targets, two losses, and how far the boxes found overlap the true ones."""

import mxnet as mx
import numpy as np

mx.random.seed(40)
rng = np.random.RandomState(40)
batch_size, size, kinds = 20, 32, 2


def pictures(count):
    """One bright square or one disc, and its kind, left, top, right and bottom in parts of the picture."""
    data = 0.2 * rng.normal(size=(count, 3, size, size))
    label = np.zeros((count, 1, 5))
    y, x = np.mgrid[:size, :size] + 0.5
    for i in range(count):
        kind, half = rng.randint(kinds), rng.uniform(4, 8)
        cy, cx = rng.uniform(half, size - half, 2)
        far = np.maximum(abs(y - cy), abs(x - cx)) if kind == 0 else np.hypot(y - cy, x - cx)
        data[i, :, far < half] += [1, 0.3, 0.3] if kind == 0 else [0.3, 0.3, 1]
        label[i, 0] = [kind, *(np.array([cx - half, cy - half, cx + half, cy + half]) / size)]
    return data.astype("float32"), label.astype("float32")


def body():
    net, layers = mx.sym.Variable("data"), []
    for i, filters in enumerate((12, 16, 24)):
        net = mx.sym.Convolution(net, kernel=(3, 3), pad=(1, 1), num_filter=filters, name="conv%d" % i)
        net = mx.sym.Activation(mx.sym.BatchNorm(net, name="bn%d" % i, fix_gamma=False), act_type="relu")
        net = mx.sym.Pooling(net, pool_type="max", kernel=(2, 2), stride=(2, 2))
        if i > 0:
            layers.append(net)
    return layers


def multibox_layer(layers, sizes, ratios):
    loc, cls, anchors = [], [], []
    for k, layer in enumerate(layers):
        num_anchors = len(sizes[k]) - 1 + len(ratios[k])
        bias = mx.sym.Variable("loc_%d_bias" % k, init=mx.init.Constant(0.0), attr={"__lr_mult__": "2.0"})
        part = mx.sym.Convolution(
            layer, bias=bias, kernel=(3, 3), pad=(1, 1), num_filter=num_anchors * 4, name="loc_%d" % k
        )
        loc.append(mx.sym.Flatten(mx.sym.transpose(part, axes=(0, 2, 3, 1))))
        part = mx.sym.Convolution(
            layer, kernel=(3, 3), pad=(1, 1), num_filter=num_anchors * (kinds + 1), name="cls_%d" % k
        )
        cls.append(mx.sym.Flatten(mx.sym.transpose(part, axes=(0, 2, 3, 1))))
        box = mx.contrib.symbol.MultiBoxPrior(
            layer, sizes=sizes[k], ratios=ratios[k], clip=False, name="anchors_%d" % k
        )
        anchors.append(mx.sym.Flatten(box))
    cls = mx.sym.Reshape(mx.sym.Concat(*cls, dim=1), shape=(0, -1, kinds + 1))
    cls = mx.sym.transpose(cls, axes=(0, 2, 1), name="multibox_cls_pred")
    anchors = mx.sym.Reshape(mx.sym.Concat(*anchors, dim=1), shape=(0, -1, 4), name="multibox_anchors")
    return mx.sym.Concat(*loc, dim=1, name="multibox_loc_pred"), cls, anchors


def get_symbol(train):
    loc_preds, cls_preds, anchors = multibox_layer(body(), [(0.3, 0.4), (0.4, 0.5)], [(1, 2), (1,)])
    if not train:
        prob = mx.sym.SoftmaxActivation(data=cls_preds, mode="channel", name="cls_prob")
        return mx.contrib.symbol.MultiBoxDetection(
            prob, loc_preds, anchors, name="detection", nms_threshold=0.4, force_suppress=True, nms_topk=100
        )
    targets = mx.contrib.symbol.MultiBoxTarget(
        anchors,
        mx.sym.Variable("label"),
        cls_preds,
        overlap_threshold=0.5,
        ignore_label=-1,
        negative_mining_ratio=3,
        minimum_negative_samples=0,
        negative_mining_thresh=0.5,
        variances=(0.1, 0.1, 0.2, 0.2),
        name="multibox_target",
    )
    loc_target, loc_mask, cls_target = targets[0], targets[1], targets[2]
    cls_prob = mx.sym.SoftmaxOutput(
        data=cls_preds,
        label=cls_target,
        ignore_label=-1,
        use_ignore=True,
        grad_scale=1.0,
        multi_output=True,
        normalization="valid",
        name="cls_prob",
    )
    loc_loss_ = mx.sym.smooth_l1(data=loc_mask * (loc_preds - loc_target), scalar=1.0, name="loc_loss_")
    loc_loss = mx.sym.MakeLoss(loc_loss_, grad_scale=1.0, normalization="valid", name="loc_loss")
    cls_label = mx.sym.MakeLoss(data=cls_target, grad_scale=0, name="cls_label")
    return mx.sym.Group([cls_prob, loc_loss, cls_label])


class MultiBoxMetric(mx.metric.EvalMetric):
    """Cross entropy of the anchors that count, and the smooth distance of boxes."""

    def __init__(self, eps=1e-8):
        self.eps = eps
        super(MultiBoxMetric, self).__init__("MultiBox")
        self.name = ["CrossEntropy", "SmoothL1"]
        self.reset()

    def reset(self):
        self.num_inst, self.sum_metric = [0, 0], [0.0, 0.0]

    def reset_local(self):
        self.reset()

    def update(self, labels, preds):
        prob, loss, label = (pred.asnumpy() for pred in preds)
        valid = label.ravel() >= 0
        prob = prob.transpose((0, 2, 1)).reshape((-1, prob.shape[1]))[
            np.arange(label.size), label.ravel().astype(int)
        ]
        self.sum_metric[0] += -np.log(prob[valid] + self.eps).sum()
        self.num_inst[0] += valid.sum()
        self.sum_metric[1] += loss.sum()
        self.num_inst[1] += valid.sum()

    def get(self):
        return self.name, [s / n if n else float("nan") for s, n in zip(self.sum_metric, self.num_inst)]


data, label = pictures(400)
train = mx.io.NDArrayIter({"data": data}, {"label": label}, batch_size, shuffle=True)
mod = mx.mod.Module(get_symbol(True), label_names=("label",), context=mx.cpu())
mod.fit(
    train,
    eval_metric=MultiBoxMetric(),
    num_epoch=10,
    optimizer="adam",
    optimizer_params={"learning_rate": 0.005, "rescale_grad": 1.0},
    initializer=mx.init.Xavier(),
)

data, label = pictures(60)
detector = mx.mod.Module(get_symbol(False), label_names=None, context=mx.cpu())
detector.bind([("data", data.shape)], for_training=False)
detector.set_params(*mod.get_params())
detector.forward(mx.io.DataBatch([mx.nd.array(data)]), is_train=False)
found = detector.get_outputs()[0].asnumpy()
hits = []
for rows, truth in zip(found, label[:, 0]):
    best = max(rows[rows[:, 0] >= 0], key=lambda row: row[1], default=None)
    if best is None:
        hits.append((False, 0.0))
        continue
    overlap = mx.nd.contrib.box_iou(mx.nd.array(best[None, 2:]), mx.nd.array(truth[None, 1:])).asscalar()
    hits.append((best[0] == truth[0], overlap))
right, overlap = np.mean([hit for hit, _ in hits]), np.mean([o for _, o in hits])
print("right kind %.2f, mean overlap %.2f" % (right, overlap))
assert right > 0.85 and overlap > 0.6
