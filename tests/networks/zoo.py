"""Networks of GluonCV, exported with real MXNet, with small pictures."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from .answers import Network, pictures, value

# Name of the model, shape of the data, options.
ZOO: dict[str, tuple[str, tuple[int, ...], dict[str, Any]]] = {
    "ssd": ("ssd_300_mobilenet0.25_voc", (1, 3, 256, 256), {}),
    "yolo3": ("yolo3_mobilenet0.25_voc", (1, 3, 96, 128), {}),
    "center-net": ("center_net_mobilenetv3_small_duc_voc", (1, 3, 96, 96), {}),
    "center-net-deformable": ("center_net_resnet18_v1b_dcnv2_voc", (1, 3, 96, 96), {}),
    "faster-rcnn": ("faster_rcnn_fpn_resnet50_v1b_coco", (1, 3, 96, 128), {}),
    "mask-rcnn": ("mask_rcnn_fpn_resnet18_v1b_coco", (1, 3, 96, 128), {}),
    "simple-pose": ("simple_pose_resnet18_v1b", (1, 3, 96, 64), {}),
    "mobile-pose": ("mobile_pose_mobilenetv3_small", (1, 3, 96, 64), {}),
    "alpha-pose": ("alpha_pose_resnet101_v1b_coco", (1, 3, 96, 64), {}),
    "fcn": ("fcn_resnet50_voc", (1, 3, 64, 64), {"crop_size": 64}),
    "psp": ("psp_resnet50_ade", (1, 3, 64, 64), {"crop_size": 64}),
    "deeplab": ("deeplab_resnet50_ade", (1, 3, 64, 64), {"crop_size": 64}),
    "icnet": ("icnet_resnet50_citys", (1, 3, 96, 96), {"crop_size": 96}),
    "danet": ("danet_resnet50_citys", (1, 3, 64, 64), {"crop_size": 64}),
    "fast-scnn": ("fastscnn_citys", (1, 3, 128, 128), {"crop_size": 128, "height": 128, "width": 128}),
    "hrnet": ("hrnet_w18_small_v1_s", (1, 3, 64, 64), {}),
    "i3d": ("i3d_inceptionv1_kinetics400", (1, 3, 8, 64, 64), {}),
    "i3d-nonlocal": ("i3d_nl5_resnet50_v1_kinetics400", (1, 3, 8, 64, 64), {}),
    "slow-fast": ("slowfast_4x16_resnet50_kinetics400", (1, 3, 36, 64, 64), {}),
    "p3d": ("p3d_resnet50_kinetics400", (1, 3, 16, 64, 64), {}),
    "r2plus1d": ("r2plus1d_resnet18_kinetics400", (1, 3, 8, 56, 56), {}),
    "siam-rpn": ("siamrpn_alexnet_v2_otb15", (1, 3, 127, 127), {}),
    "resnest": ("resnest14", (1, 3, 64, 64), {}),
    "se-resnext": ("se_resnext50_32x4d", (1, 3, 64, 64), {}),
    "mobilenet-v3": ("mobilenetv3_large", (1, 3, 64, 64), {}),
    "shufflenet": ("shufflenet_v1", (1, 3, 64, 64), {}),
    "nasnet": ("nasnet_4_1056", (1, 3, 96, 96), {}),
    "xception": ("xception", (1, 3, 64, 64), {}),
    "dla": ("dla34", (1, 3, 64, 64), {}),
    "attention": ("cifar_residualattentionnet56", (1, 3, 32, 32), {}),
    "mobilenet": ("mobilenet0.25", (1, 3, 64, 64), {}),
    "resnet": ("resnet18_v1b", (1, 3, 64, 64), {}),
}

# Networks in 8 bits, and how their layers' ranges are found.
INTEGERS = {
    "ssd-int8": ("ssd", "naive"),
    "mobilenet-int8": ("mobilenet", "naive"),
    "mobilenet-int8-none": ("mobilenet", "none"),
    "resnet-int8": ("resnet", "naive"),
    "resnet-int8-none": ("resnet", "none"),
    "resnet-int8-entropy": ("resnet", "entropy"),
}


def cut(array: np.ndarray) -> np.ndarray:
    """Anchors of as many places as small pictures have: the graph takes what it needs."""
    return array[:, :, :33, :33] if array.ndim > 3 else array


def exported(name: str) -> Network:
    """The graph that GluonCV's network makes of its data, and its constants."""
    import mxnet as mx  # type: ignore[import-not-found]
    from gluoncv import model_zoo  # type: ignore[import-not-found]

    model, shape, options = ZOO[name]
    try:
        net = model_zoo.get_model(model, pretrained=False, pretrained_base=False, **options)
    except TypeError:  # those without a base
        net = model_zoo.get_model(model, pretrained=False, **options)
    inputs = {"data": pictures(*shape)}
    if name == "siam-rpn":
        inputs = {"template": inputs["data"], "search": pictures(1, 3, 287, 287, seed=2)}
    net.initialize(mx.init.Normal(0.1))
    net(*(mx.nd.array(v) for v in inputs.values()))  # so that shapes are known
    parts = net(*(mx.sym.var(k) for k in inputs))
    flat: list[Any] = []

    def walk(part: Any) -> None:
        if isinstance(part, (list, tuple)):
            for p in part:
                walk(p)
        else:
            flat.append(part)

    walk(parts)
    out = mx.sym.Group(flat) if len(flat) > 1 else flat[0]
    names = set(out.list_arguments())
    constants = {
        n: cut(p.data().asnumpy())
        for n, p in net.collect_params().items()
        if n in names and p.grad_req == "null"
    }
    for n, p in net.collect_params().items():
        assert n not in names or n in constants or value(n, p.shape, p.dtype).shape == p.shape
    graph = json.loads(out.tojson())
    for node in graph["nodes"]:
        if node["name"] in constants and "__shape__" in node.get("attrs", {}):
            node["attrs"]["__shape__"] = str(constants[node["name"]].shape)
        # Regions of other scales are on image -1, where MXNet's ROIAlign leaves memory as it was: on 0 here.
        if "rcnn0__mulscalar" in node["name"]:
            node["attrs"]["scalar"] = "0.0"
    return Network(json.dumps(graph), inputs, constants, False, {})
