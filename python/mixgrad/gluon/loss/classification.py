"""Losses of classes and of probabilities."""

from __future__ import annotations

from typing import Any, Optional

from .loss import Loss, reshape_like, weighted

__all__ = [
    "HingeLoss",
    "KLDivLoss",
    "LogisticLoss",
    "SigmoidBCELoss",
    "SigmoidBinaryCrossEntropyLoss",
    "SoftmaxCELoss",
    "SoftmaxCrossEntropyLoss",
    "SquaredHingeLoss",
]

_EPSILON = 1e-12  # keeps logarithms of probabilities finite


class SigmoidBinaryCrossEntropyLoss(Loss):
    """The cross entropy of answers that are yes or no.

    Parameters
    ----------
    from_sigmoid : bool
        Whether predictions are probabilities, rather than what ``sigmoid`` makes probabilities of.
    weight : float, optional
        A factor of the loss.
    batch_axis : int
        The axis of the samples.

    Examples
    --------
    >>> import mixgrad as mx
    >>> loss = mx.gluon.loss.SigmoidBCELoss()
    >>> loss(mx.nd.array([[0, 20], [0, -20]]), mx.nd.array([[1, 1], [1, 1]])).asnumpy().round(3)
    array([ 0.347, 10.347], dtype=float32)
    """

    def __init__(
        self,
        from_sigmoid: bool = False,
        weight: Optional[float] = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_sigmoid = from_sigmoid

    def hybrid_forward(
        self, F: Any, pred: Any, label: Any, sample_weight: Any = None, pos_weight: Any = None
    ) -> Any:
        """The losses of samples.

        Parameters
        ----------
        pred, label : NDArray or Symbol
            As many numbers each; labels from 0 to 1.
        sample_weight : NDArray or Symbol, optional
            Broadcast to ``pred``.
        pos_weight : NDArray or Symbol, optional
            Factors of positive answers, broadcast to ``pred``.
        """
        label = reshape_like(F, label, pred)
        if self._from_sigmoid:
            yes = F.log(pred + _EPSILON) * label
            if pos_weight is not None:
                yes = F.broadcast_mul(yes, pos_weight)
            loss = -(yes + F.log(1.0 - pred + _EPSILON) * (1.0 - label))
        elif pos_weight is None:
            loss = F.relu(pred) - pred * label + F.Activation(-F.abs(pred), act_type="softrelu")
        else:
            factor = 1 + F.broadcast_mul(pos_weight - 1, label)
            rest = F.Activation(-F.abs(pred), act_type="softrelu") + F.relu(-pred)
            loss = pred - pred * label + factor * rest
        return self._mean(F, weighted(F, loss, self._weight, sample_weight))


SigmoidBCELoss = SigmoidBinaryCrossEntropyLoss


class SoftmaxCrossEntropyLoss(Loss):
    """The cross entropy of classes.

    Parameters
    ----------
    axis : int
        The axis of the classes.
    sparse_label : bool
        Whether labels are numbers of classes, rather than probabilities of each.
    from_logits : bool
        Whether predictions are logarithms of probabilities, rather than what ``softmax`` makes these of.
    weight : float, optional
        A factor of the loss.
    batch_axis : int
        The axis of the samples.

    Examples
    --------
    >>> import mixgrad as mx
    >>> loss = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    >>> loss(mx.nd.array([[0, 0], [0, 100]]), mx.nd.array([0, 1])).asnumpy().round(3)
    array([0.693, 0.   ], dtype=float32)
    """

    def __init__(
        self,
        axis: int = -1,
        sparse_label: bool = True,
        from_logits: bool = False,
        weight: Optional[float] = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._axis = axis
        self._sparse_label = sparse_label
        self._from_logits = from_logits

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The losses of samples.

        Parameters
        ----------
        pred : NDArray or Symbol
            A number for each class along one axis.
        label : NDArray or Symbol
            Numbers of classes, in the shape of ``pred`` without that axis; or a number for each class.
        sample_weight : NDArray or Symbol, optional
            Broadcast to ``pred``, of which that axis has extent 1.
        """
        if not self._from_logits:
            pred = F.log_softmax(pred, axis=self._axis)
        if self._sparse_label:
            loss = -F.pick(pred, label, axis=self._axis, keepdims=True)
        else:
            loss = -F.sum(pred * reshape_like(F, label, pred), axis=self._axis, keepdims=True)
        return self._mean(F, weighted(F, loss, self._weight, sample_weight))


SoftmaxCELoss = SoftmaxCrossEntropyLoss


class KLDivLoss(Loss):
    """The Kullback-Leibler divergence of predictions from labels, summed over classes.

    Parameters
    ----------
    from_logits : bool
        Whether predictions are logarithms of probabilities, rather than what ``softmax`` makes these of.
    axis : int
        The axis of the classes.
    weight : float, optional
        A factor of the loss.
    batch_axis : int
        The axis of the samples.
    """

    def __init__(
        self,
        from_logits: bool = True,
        axis: int = -1,
        weight: Optional[float] = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_logits = from_logits
        self._axis = axis

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The losses of samples.

        Parameters
        ----------
        pred : NDArray or Symbol
            A number for each class.
        label : NDArray or Symbol
            Probabilities, in the shape of ``pred``.
        sample_weight : NDArray or Symbol, optional
            Broadcast to ``pred``.
        """
        if not self._from_logits:
            pred = F.log_softmax(pred, self._axis)
        loss = weighted(F, label * (F.log(label + _EPSILON) - pred), self._weight, sample_weight)
        return F.sum(loss, axis=self._batch_axis, exclude=True)


class HingeLoss(Loss):
    """How much ``pred * label`` lacks of a margin; labels are 1 and -1.

    Parameters
    ----------
    margin : float
        The margin.
    weight : float, optional
        A factor of the loss.
    batch_axis : int
        The axis of the samples.
    """

    def __init__(
        self, margin: float = 1, weight: Optional[float] = None, batch_axis: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def _distances(self, F: Any, pred: Any, label: Any) -> Any:
        return F.relu(self._margin - pred * reshape_like(F, label, pred))

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The losses of samples.

        Parameters
        ----------
        pred, label : NDArray or Symbol
            As many numbers each.
        sample_weight : NDArray or Symbol, optional
            Broadcast to ``pred``.
        """
        loss = self._distances(F, pred, label)
        return self._mean(F, weighted(F, loss, self._weight, sample_weight))


class SquaredHingeLoss(HingeLoss):
    """The squares of what :class:`HingeLoss` takes the mean of.

    Parameters
    ----------
    margin : float
        The margin.
    weight : float, optional
        A factor of the loss.
    batch_axis : int
        The axis of the samples.
    """

    def _distances(self, F: Any, pred: Any, label: Any) -> Any:
        return F.square(super()._distances(F, pred, label))


class LogisticLoss(Loss):
    """The logarithm of ``1 + exp(-pred * label)``.

    Parameters
    ----------
    weight : float, optional
        A factor of the loss.
    batch_axis : int
        The axis of the samples.
    label_format : {'signed', 'binary'}
        Whether labels are -1 and 1, or 0 and 1.
    """

    def __init__(
        self,
        weight: Optional[float] = None,
        batch_axis: int = 0,
        label_format: str = "signed",
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        if label_format not in ("signed", "binary"):
            raise ValueError(
                f"[LogisticLoss] label_format is {label_format!r}; expected 'signed' or 'binary'"
            )
        self._label_format = label_format

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The losses of samples, as of :class:`HingeLoss`."""
        label = reshape_like(F, label, pred)
        if self._label_format == "signed":
            label = (label + 1.0) / 2.0
        loss = F.relu(pred) - pred * label + F.Activation(-F.abs(pred), act_type="softrelu")
        return self._mean(F, weighted(F, loss, self._weight, sample_weight))
