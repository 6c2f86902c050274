"""Bags of rows, unpooling, drawn classes and losses of several targets: what golden values do not say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as onp
import pytest

import mixgrad as mx
from mixgrad import nn, np

F = nn.functional
RANDOM = onp.random.RandomState(5)


def ints(*values: int) -> Any:
    return np.array(values, dtype="int64")


def bags_by_hand(rows: list[int], starts: list[int], table: Any, mode: str, padding: int) -> Any:
    ends = [*starts[1:], len(rows)]
    found = onp.zeros((len(starts), table.shape[1]))
    for i, (begin, end) in enumerate(zip(starts, ends)):
        part = table[[row for row in rows[begin:end] if row != padding]]
        if len(part):
            found[i] = getattr(part, mode)(axis=0)
    return found


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
@pytest.mark.parametrize(
    ("rows", "starts"),
    [([1, 1, 4, 5, 2, 0], [0, 2, 2, 5]), ([3, 3], [0]), ([], [0, 0]), ([], []), ([2, 1], [0, 2])],
)
def test_bags(mode: str, rows: list[int], starts: list[int]) -> None:
    table = RANDOM.normal(size=(6, 3))
    weight = nn.Parameter(np.array(table, dtype="float64"))

    def bags(weight: Any) -> Any:
        return F.embedding_bag(ints(*rows), weight, ints(*starts), mode=mode, padding_idx=2)

    onp.testing.assert_allclose(bags(weight).asnumpy(), bags_by_hand(rows, starts, table, mode, 2))
    if starts:
        assert nn.gradcheck(bags, weight)


def test_gradients_of_weights_of_samples() -> None:
    weight = nn.Parameter(np.random.normal(size=(5, 2), dtype="float64"))
    share = nn.Parameter(np.random.normal(size=(4,), dtype="float64"))

    def bags(weight: Any, share: Any) -> Any:
        return F.embedding_bag(
            ints(0, 4, 4, 1), weight, ints(0, 1), mode="sum", per_sample_weights=share, padding_idx=0
        )

    assert nn.gradcheck(bags, (weight, share))


def test_bags_in_planned_graphs() -> None:
    layer = nn.EmbeddingBag(6, 3)
    rows, starts = ints(1, 2, 5), ints(0, 2)
    assert abs(mx.jit(layer)(rows, starts) - layer(rows, starts)).max().item() < 1e-6


def test_tables_that_are_given() -> None:
    table = np.random.normal(size=(4, 2))
    frozen = nn.EmbeddingBag.from_pretrained(table, mode="sum")
    assert not frozen.weight.requires_grad and frozen.mode == "sum"
    assert nn.EmbeddingBag.from_pretrained(table, freeze=False).weight.requires_grad
    assert nn.EmbeddingBag(4, 2, padding_idx=-1).weight[3].asnumpy().tolist() == [0, 0]
    floats = nn.EmbeddingBag.from_pretrained(table)(np.array([[0, 3]]))
    assert abs(floats - (table[0] + table[3]) / 2).max().item() < 1e-6


TABLE = np.zeros((4, 2))
BAD: list[tuple[str, Callable[[], Any]]] = [
    ("mode is 'min'; expected", lambda: nn.EmbeddingBag(4, 2, mode="min")),
    ("mode is 'min'; expected", lambda: F.embedding_bag(ints(0), TABLE, ints(0), mode="min")),
    ("padding_idx is 4", lambda: nn.EmbeddingBag(4, 2, padding_idx=4)),
    ("padding_idx is -5", lambda: F.embedding_bag(ints(0), TABLE, ints(0), padding_idx=-5)),
    (r"expected \(4, 3\)", lambda: nn.EmbeddingBag(4, 3, _weight=TABLE)),
    ("offsets are none; expected", lambda: F.embedding_bag(ints(0), TABLE)),
    ("expected .B, L. without", lambda: F.embedding_bag(ints(0).reshape(1, 1), TABLE, ints(0))),
    (
        "'mean'; expected 'sum'",
        lambda: F.embedding_bag(ints(0), TABLE, ints(0), per_sample_weights=np.ones(1)),
    ),
    (
        r"shape \(2,\); expected \(1,\)",
        lambda: F.embedding_bag(ints(0), TABLE, ints(0), mode="sum", per_sample_weights=np.ones(2)),
    ),
    ("has the fraction 0.5", lambda: F.embedding_bag(np.array([0.5]), TABLE, ints(0))),
    (
        r"offsets are \[1\]; expected numbers from 0 on",
        lambda: F.embedding_bag(ints(0, 1), TABLE, ints(1), mode="max"),
    ),
    ("not supported", lambda: F.embedding_bag(ints(0), TABLE, ints(0), max_norm=1.0)),
    ("expected one shape of 4 axes", lambda: nn.MaxUnpool2d(2)(np.ones((1, 1, 2, 2)), ints(0))),
    (
        r"output_size is \(6, 4\); expected \(4, 4\), and less than a stride \(2, 2\)",
        lambda: nn.MaxUnpool2d(2)(np.ones((1, 2, 2)), ints(0, 1, 2, 3).reshape(1, 2, 2), (6, 4)),
    ),
    ("C a multiple of 4", lambda: nn.ChannelShuffle(4)(np.ones((1, 6, 2)))),
    ("C a multiple of 0", lambda: nn.ChannelShuffle(0)(np.ones((1, 6, 2)))),
    ("tau is 0; expected", lambda: F.gumbel_softmax(np.ones(3), tau=0)),
    ("margin is 0; expected", lambda: nn.TripletMarginWithDistanceLoss(margin=0)),
    (
        r"have \[2, 2, 1\] axes",
        lambda: F.triplet_margin_with_distance_loss(np.ones((1, 2)), np.ones((1, 2)), np.ones(2)),
    ),
    (r"input \(1, 2\) and target \(2,\)", lambda: nn.MultiLabelMarginLoss()(np.ones((1, 2)), ints(0, 1))),
    ("has the fraction", lambda: nn.MultiLabelMarginLoss()(np.ones(2), np.array([0.5, -1]))),
    ("reduction is 'total'", lambda: nn.MultiLabelMarginLoss("total")),
]


@pytest.mark.parametrize("place", range(len(BAD)))
def test_arguments_that_do_not_fit(place: int) -> None:
    text, call = BAD[place]
    with pytest.raises((ValueError, TypeError, mx.base.UnsupportedError), match=text):
        call()


LATE: list[Callable[[], Any]] = [
    lambda: F.embedding_bag(ints(0, 4), TABLE, ints(0)),
    lambda: F.embedding_bag(ints(0, 1), TABLE, ints(1)),
    lambda: F.embedding_bag(ints(0, 1), TABLE, ints(0, 3)),
    lambda: nn.MultiLabelMarginLoss()(np.ones(2), ints(2, -1)),
    lambda: F.embedding_bag(ints(0, 1, 2, 2), TABLE, ints(0, 3, 2)),
    lambda: F.max_unpool1d(np.ones((1, 2)), ints(0, 4).reshape(1, 2), 2),
]


@pytest.mark.parametrize("place", range(len(LATE)))
def test_indices_outside_are_errors_where_the_result_is_read(place: int) -> None:
    with pytest.raises(IndexError):
        LATE[place]().asnumpy()


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_unpooling_is_the_reverse(axes: int) -> None:
    pool = getattr(nn, f"MaxPool{axes}d")(2, return_indices=True)
    back = getattr(nn, f"MaxUnpool{axes}d")(2)
    x = nn.Parameter(np.random.normal(size=(2, 3, *(5,) * axes), dtype="float64"))
    largest, places = pool(x)
    found = back(largest, places, output_size=x.shape)
    assert found.shape == x.shape and str(places.dtype) == "int64"
    kept = found.asnumpy() != 0
    assert kept.sum() == largest.size and (found.asnumpy()[kept] == x.asnumpy()[kept]).all()
    plain = getattr(F, f"max_pool{axes}d")(x, 2)
    assert (plain.asnumpy() == largest.asnumpy()).all()
    assert nn.gradcheck(lambda x: back(*pool(x), output_size=x.shape), x)
    one, where = pool(x[0])
    assert (one.asnumpy() == largest[0].asnumpy()).all() and (where.asnumpy() == places[0].asnumpy()).all()


def test_windows_without_a_finite_element() -> None:
    largest, places = F.max_pool1d(np.array([[5.0, 1.0, -onp.inf, -onp.inf]]), 2, return_indices=True)
    assert largest.asnumpy().tolist() == [[5, -onp.inf]] and places.shape == (1, 2)


def test_drawn_classes() -> None:
    logits = np.log(np.array([[0.1, 0.6, 0.3]])) + 2
    drawn = F.gumbel_softmax(np.repeat(logits, 4000, axis=0), tau=0.5, hard=True)
    assert set(onp.unique(drawn.asnumpy())) == {0, 1}
    onp.testing.assert_allclose(drawn.mean(axis=0).asnumpy(), [0.1, 0.6, 0.3], atol=0.04)
    soft = F.gumbel_softmax(np.zeros((2, 3, 4)), dim=1)
    onp.testing.assert_allclose(soft.sum(axis=1).asnumpy(), onp.ones((2, 4)), rtol=1e-5)
    hard = F.gumbel_softmax(np.zeros((2, 3, 4), dtype="float64"), hard=True, dim=1)
    assert hard.shape == (2, 3, 4) and str(hard.dtype) == "float64"
    assert (hard.sum(axis=1).asnumpy() == 1).all()


def test_the_hard_gradient_is_the_soft_one() -> None:
    gradients = []
    for hard in (False, True):
        mx.random.seed(7)
        logits = nn.Parameter([[0.3, -0.2, 1.0]])
        (F.gumbel_softmax(logits, 0.7, hard) * np.array([1.0, 2.0, 4.0])).sum().backward()
        gradients.append(logits.grad.asnumpy())
    onp.testing.assert_allclose(*gradients, rtol=1e-6)
    assert abs(gradients[0]).max() > 1e-3


def test_losses_of_several_targets_and_distances() -> None:
    scores = nn.Parameter(np.random.normal(size=(3, 4), dtype="float64"))
    target = np.array([[3, 0, -1, 1], [1, -1, 2, 2], [0, 1, 2, 3]], dtype="int64")
    assert nn.gradcheck(lambda x: F.multilabel_margin_loss(x, target), scores)
    learnt = nn.Bilinear(2, 2, 1).double()
    loss = nn.TripletMarginWithDistanceLoss(distance_function=lambda x, y: learnt(x, y)[:, 0] ** 2)
    inputs = tuple(nn.Parameter(np.random.normal(size=(3, 2), dtype="float64")) for _ in range(3))
    assert nn.gradcheck(loss, inputs)
    registered = nn.TripletMarginWithDistanceLoss(distance_function=learnt)
    assert len(list(registered.parameters())) == 2


@pytest.mark.parametrize("value", [-0.1, 1.0001, float("nan")])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_what_is_no_probability(value: float, reduction: str) -> None:
    p = nn.Parameter([0.5, value])
    loss = nn.BCELoss(reduction=reduction)(p, np.array([1.0, 0.0]))
    with pytest.raises(ValueError, match="binary_cross_entropy: an input is no probability, from 0 to 1"):
        loss.asnumpy()
    loss = nn.BCELoss(reduction=reduction)(p, np.array([1.0, 0.0])).sum()
    loss.backward()
    with pytest.raises(ValueError, match="an input is no probability"):
        p.grad.asnumpy()


def test_the_ends_are_probabilities_also_in_planned_graphs() -> None:
    loss = mx.jit(nn.BCELoss())
    assert loss(np.array([0.0, 1.0]), np.array([0.0, 1.0])).item() == 0
    with pytest.raises(ValueError, match="no probability"):
        loss(np.array([0.0, 2.0]), np.array([0.0, 1.0])).item()
    p = nn.Parameter(np.array([0.2, 0.7], dtype="float64"))
    assert nn.gradcheck(lambda p: F.binary_cross_entropy(p, np.array([1.0, 0.0], dtype="float64")), p)


def test_on_another_device() -> None:
    """What layers make themselves, such as bases and places, lies where their arrays do."""
    with mx.test_utils.simulated_gpus(1) as cards:
        card = cards[0] if isinstance(cards, (list, tuple)) else mx.gpu(0)

        def there(*values: Any) -> Any:
            return np.array(values, dtype="int64").as_in_context(card)

        for mode in ("sum", "mean", "max"):
            layer = nn.EmbeddingBag(6, 3, mode=mode, padding_idx=1, device=card)
            plain = nn.EmbeddingBag(6, 3, mode=mode, padding_idx=1)
            plain.load_state_dict(layer.state_dict())
            found = layer(there(1, 2, 5), there(0, 2))
            assert found.context == card
            assert (found.asnumpy() == plain(ints(1, 2, 5), ints(0, 2)).asnumpy()).all()
        x = np.random.normal(size=(1, 2, 4, 4)).as_in_context(card)
        assert nn.MaxUnpool2d(2)(*nn.MaxPool2d(2, return_indices=True)(x)).context == card
        assert F.gumbel_softmax(x, hard=True).context == card
        assert nn.BCELoss()(F.sigmoid(x), F.sigmoid(x)).context == card
        model = nn.Transformer(4, 2, 1, 1, 8, batch_first=True, device=card)
        mask = model.generate_square_subsequent_mask(3, device=card)
        y = np.ones((2, 3, 4), ctx=card)
        assert model(y, y, tgt_mask=mask).context == card
        scores = np.ones((2, 3), ctx=card)
        assert F.multilabel_margin_loss(scores, there([0, 1, -1], [2, -1, 0])).context == card
        classes = there(0, 2)
        for loss in (F.cross_entropy, F.nll_loss, F.multi_margin_loss):
            assert loss(scores, classes).context == card
        mx.nd.waitall()
