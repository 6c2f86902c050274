"""Options of record iterators without randomness, whose batches are held against those of MXNet 1.9.1."""

_IMAGENET = {
    "mean_r": 123.68,
    "mean_g": 116.28,
    "mean_b": 103.53,
    "std_r": 58.395,
    "std_g": 57.12,
    "std_b": 57.375,
}

# Equal bit for bit: cutting, mirroring, numbers, and sizes by lines, areas and the nearest pixel.
EXACT = {
    "crop": ("ImageRecordIter", {"data_shape": (3, 40, 40)}),
    "mirror": ("ImageRecordIter", {"data_shape": (3, 33, 47), "mirror": True}),
    "normalise": ("ImageRecordIter", dict(data_shape=(3, 40, 40), mirror=True, **_IMAGENET)),
    "scale": ("ImageRecordIter", {"data_shape": (3, 40, 40), "mean_r": 100, "scale": 0.017}),
    "resize": ("ImageRecordIter", {"data_shape": (3, 24, 24), "resize": 27}),
    "resize larger": ("ImageRecordIter", {"data_shape": (3, 64, 64), "resize": 70}),
    "resize to half": ("ImageRecordIter", {"data_shape": (3, 20, 20), "resize": 30}),
    "resize wide": ("ImageRecordIter", {"data_shape": (3, 20, 24), "resize": 29, "mirror": True}),
    "too small": ("ImageRecordIter", {"data_shape": (3, 90, 100)}),
    "grey": ("ImageRecordIter", {"data_shape": (1, 40, 40), "mean_r": 3, "scale": 0.5}),
    "pad": ("ImageRecordIter", {"data_shape": (3, 60, 60), "pad": 8, "fill_value": 17}),
    "pad and too small": ("ImageRecordIter", {"data_shape": (3, 90, 110), "pad": 8}),
    "rotate": ("ImageRecordIter", {"data_shape": (3, 40, 40), "rotate": 30, "fill_value": 9}),
    "random scale": (
        "ImageRecordIter",
        {"data_shape": (3, 40, 40), "max_random_scale": 1.3, "min_random_scale": 1.3},
    ),
    "size limits": ("ImageRecordIter", {"data_shape": (3, 40, 40), "max_img_size": 55, "min_img_size": 50}),
    "square": ("ImageRecordIter", {"data_shape": (3, 30, 30), "max_crop_size": 36, "min_crop_size": 36}),
    "nearest": ("ImageRecordIter", {"data_shape": (3, 24, 24), "resize": 27, "inter_method": 0}),
    "area": ("ImageRecordIter", {"data_shape": (3, 24, 24), "resize": 27, "inter_method": 3}),
    "by size": ("ImageRecordIter", {"data_shape": (3, 24, 24), "resize": 27, "inter_method": 9}),
    "uint8": ("ImageRecordUInt8Iter", {"data_shape": (3, 40, 40), "mean_r": 50}),
    "int8": (
        "ImageRecordInt8Iter",
        {"data_shape": (3, 40, 40), "mean_r": 200.6, "mean_g": 128.5, "mean_b": 100.4, "std_r": 3},
    ),
}

# Within 1: the fixed-point numbers of OpenCV's cubic and Lanczos loops are not ours.
NEAR = {
    "cubic": {"data_shape": (3, 24, 24), "resize": 27, "inter_method": 2},
    "cubic larger": {"data_shape": (3, 60, 60), "resize": 66, "inter_method": 9},
    "lanczos": {"data_shape": (3, 24, 24), "resize": 27, "inter_method": 4},
    "cubic scale": {
        "data_shape": (3, 30, 30),
        "max_random_scale": 0.8,
        "min_random_scale": 0.8,
        "inter_method": 2,
    },
}

BOXES = {
    "force": {"data_shape": (3, 30, 30)},
    "fit": {
        "data_shape": (3, 34, 30),
        "resize_mode": "fit",
        "mean_r": 10,
        "mean_g": 5,
        "std_r": 2,
        "scale": 0.5,
    },
    "shrink": {"data_shape": (3, 30, 30), "resize_mode": "shrink"},
    "mirror": {
        "data_shape": (3, 30, 30),
        "rand_mirror_prob": 1,
        "label_pad_width": 20,
        "label_pad_value": -3,
    },
    "resize": {"data_shape": (3, 30, 30), "resize": 25},
}
