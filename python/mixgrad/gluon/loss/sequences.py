"""The loss of sequences whose labels are shorter and not aligned."""

from __future__ import annotations

from typing import Any, Optional

from ...base import RefusedValueError
from .loss import Loss, weighted

__all__ = ["CTCLoss"]


class CTCLoss(Loss):
    """Connectionist temporal classification (Graves and others 2006); the last class is the blank.

    Parameters
    ----------
    layout : {'NTC', 'TNC'}
        Axes of predictions: batch, time, classes.
    label_layout : {'NT', 'TN'}
        Axes of labels.
    weight : float, optional
        A factor of the loss.
    """

    def __init__(
        self, layout: str = "NTC", label_layout: str = "NT", weight: Optional[float] = None, **kwargs: Any
    ) -> None:
        for name, value, known in (
            ("layout", layout, ("NTC", "TNC")),
            ("label_layout", label_layout, ("NT", "TN")),
        ):
            if value not in known:
                raise RefusedValueError(
                    f"[CTCLoss] {name} is {value!r}; expected {' or '.join(map(repr, known))}"
                )
        self._layout = layout
        self._label_layout = label_layout
        super().__init__(weight, label_layout.find("N"), **kwargs)

    def hybrid_forward(
        self,
        F: Any,
        pred: Any,
        label: Any,
        pred_lengths: Any = None,
        label_lengths: Any = None,
        sample_weight: Any = None,
    ) -> Any:
        """The loss of each sequence.

        Parameters
        ----------
        pred : NDArray or Symbol
            What ``softmax`` makes probabilities of, in ``layout``.
        label : NDArray or Symbol
            Classes in ``label_layout``; -1 fills up, unless lengths are given.
        pred_lengths, label_lengths : NDArray or Symbol, optional
            How long each sequence is.
        sample_weight : NDArray or Symbol, optional
            (batch,).
        """
        if self._layout == "NTC":
            pred = F.swapaxes(pred, 0, 1)
        if self._batch_axis == 1:
            label = F.swapaxes(label, 0, 1)
        loss = F.CTCLoss(
            pred,
            label,
            pred_lengths,
            label_lengths,
            use_data_lengths=pred_lengths is not None,
            use_label_lengths=label_lengths is not None,
            blank_label="last",
        )
        return weighted(F, loss, self._weight, sample_weight)
