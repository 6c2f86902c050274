"""Trains ResNet-18 on a folder of pictures that mixgrad im2rec has packed; makes such a folder, too.

    python examples/pictures.py make pictures/             draws six shapes: pictures/circle/000.jpg, ...
    mixgrad im2rec --list --recursive --train-ratio 0.8 --classes classes.txt shapes pictures/
    mixgrad im2rec --resize 72 shapes pictures/            writes shapes_train.rec and shapes_val.rec
    python examples/pictures.py train shapes classes.txt   trains, a checkpoint after each epoch

The README shows what comes before and after. Any folder of pictures with a folder for each class will do.
"""

from __future__ import annotations

import argparse
import logging
import math
import random
from pathlib import Path

import mixgrad as mx

SHAPES = ("circle", "cross", "ring", "square", "star", "triangle")
MEAN, STD = (123.68, 116.28, 103.53), (58.4, 57.1, 57.4)


def corners(shape: str, size: float, turn: float) -> list[tuple[float, float]]:
    """The corners of a shape around (0, 0), of that radius, turned by an angle."""
    if shape == "cross":
        arm = size / 3
        first = [(arm, size), (arm, arm), (size, arm), (size, -arm), (arm, -arm), (arm, -size)]
        points = first + [(-x, -y) for x, y in first]
        cos, sin = math.cos(turn), math.sin(turn)
        return [(x * cos - y * sin, x * sin + y * cos) for x, y in points]
    count = {"triangle": 3, "square": 4, "star": 10}[shape]
    radii = [size, size * 0.45] if shape == "star" else [size]
    return [
        (
            radii[i % len(radii)] * math.cos(turn + 2 * math.pi * i / count),
            radii[i % len(radii)] * math.sin(turn + 2 * math.pi * i / count),
        )
        for i in range(count)
    ]


def draw(shape: str, chance: random.Random) -> object:
    """A Pillow image of one shape: any place, size, angle and colours, and dots all over it."""
    from PIL import Image, ImageDraw

    width, height = chance.randint(80, 120), chance.randint(80, 120)
    big = 3  # drawn larger, so that edges become smooth
    back = tuple(chance.randint(0, 110) for _ in range(3))
    front = tuple(chance.randint(120, 255) for _ in range(3))
    image = Image.new("RGB", (big * width, big * height), back)
    pen = ImageDraw.Draw(image)
    for _ in range(60):
        x, y, r = chance.randrange(big * width), chance.randrange(big * height), chance.randint(2, 6)
        pen.ellipse((x - r, y - r, x + r, y + r), tuple(chance.randint(0, 255) for _ in range(3)))
    size = big * chance.uniform(0.22, 0.38) * min(width, height)
    x = big * width / 2 + chance.uniform(-0.1, 0.1) * big * width
    y = big * height / 2 + chance.uniform(-0.1, 0.1) * big * height
    box = (x - size, y - size, x + size, y + size)
    if shape == "circle":
        pen.ellipse(box, front)
    elif shape == "ring":
        pen.ellipse(box, outline=front, width=int(size / 3))
    else:
        turn = chance.uniform(0, 2 * math.pi)
        pen.polygon([(x + dx, y + dy) for dx, dy in corners(shape, size, turn)], front)
    return image.resize((width, height), Image.Resampling.LANCZOS)


def make(options: argparse.Namespace) -> None:
    """Draw a folder of pictures."""
    chance = random.Random(options.seed)
    for shape in SHAPES:
        folder = options.folder / shape
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(options.each):
            draw(shape, chance).save(folder / f"{number:03d}.jpg", quality=90)  # type: ignore[attr-defined]
    print(f"{options.folder}: {len(SHAPES)} shapes, {options.each} pictures of each")


def batches(record: Path, size: int, batch_size: int, seed: int, training: bool) -> mx.io.DataIter:
    """Batches of a record file: random crops and mirrored pictures to train on, the middle otherwise."""
    return mx.io.ImageRecordIter(
        path_imgrec=str(record),
        path_imgidx=str(record.with_suffix(".idx")),
        data_shape=(3, size, size),
        batch_size=batch_size,
        shuffle=training,
        rand_crop=training,
        rand_mirror=training,
        mean_r=MEAN[0],
        mean_g=MEAN[1],
        mean_b=MEAN[2],
        std_r=STD[0],
        std_g=STD[1],
        std_b=STD[2],
        seed=seed,
        round_batch=training,
    )


def records_of(record: Path) -> int:
    """How many records a file has: as many as its index has lines."""
    return len(record.with_suffix(".idx").read_text(encoding="utf-8").splitlines())


def train(options: argparse.Namespace) -> float:
    """Train; return the accuracy on the held-out pictures."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    mx.random.seed(options.seed)
    classes = options.classes.read_text(encoding="utf-8").splitlines()
    files = [Path(f"{options.prefix}_{part}.rec") for part in ("train", "val")]
    training, held_out = (
        batches(file, options.size, options.batch_size, options.seed, file == files[0]) for file in files
    )
    steps = options.epochs * -(-records_of(files[0]) // options.batch_size)
    schedule = mx.lr_scheduler.CosineScheduler(
        max_update=steps, base_lr=options.lr, final_lr=options.lr / 100
    )
    net = mx.models.resnet(18, num_classes=len(classes))
    model = mx.mod.Module(net)
    model.fit(
        training,
        eval_data=held_out,
        num_epoch=options.epochs,
        initializer=mx.init.Xavier(rnd_type="gaussian", factor_type="in", magnitude=2),
        optimizer="adam",
        optimizer_params={"learning_rate": options.lr, "lr_scheduler": schedule},
        batch_end_callback=mx.callback.Speedometer(options.batch_size, 10),
        epoch_end_callback=mx.callback.do_checkpoint(options.prefix),
    )
    right = count = 0
    for scores, _, batch in model.iter_predict(held_out):  # without what only fills the last batch up
        best = scores[0].argmax(axis=1)
        right += int((best == batch.label[0][: len(best)]).sum().asscalar())
        count += len(best)
    print(f"right on {right} of {count} held-out pictures; {options.prefix}-{options.epochs:04d}.params")
    return right / count


def main() -> None:
    parser = argparse.ArgumentParser(description="Train ResNet-18 on a folder of pictures.")
    steps = parser.add_subparsers(required=True)
    making = steps.add_parser("make", help="draw a folder of pictures")
    making.add_argument("folder", type=Path)
    making.add_argument("--each", type=int, default=150, help="pictures of each shape")
    making.set_defaults(act=make)
    fitting = steps.add_parser("train", help="train on record files")
    fitting.add_argument("prefix", help="of the record files, and of the checkpoints")
    fitting.add_argument("classes", type=Path, help="file with a class per line")
    fitting.add_argument("--epochs", type=int, default=5)
    fitting.add_argument("--batch-size", type=int, default=16)
    fitting.add_argument("--size", type=int, default=64, help="rows and columns of the network's input")
    fitting.add_argument("--lr", type=float, default=1e-3, help="first learning rate of Adam")
    fitting.set_defaults(act=train)
    for step in (making, fitting):
        step.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    options.act(options)


if __name__ == "__main__":
    main()
