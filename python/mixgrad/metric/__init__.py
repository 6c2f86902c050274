"""Metrics (``mx.metric``): numbers that say how good predictions are, added up over batches.

A metric is updated with lists of labels and predictions (one entry per output), which may be NDArrays or
NumPy arrays; labels of classes are whole numbers in any dtype. ``get`` gives the value since the last
``reset`` or ``reset_local``, ``get_global`` since the last ``reset``.
"""

from typing import TYPE_CHECKING

from .. import _hints
from .base import CompositeEvalMetric, EvalMetric, alias, check_label_shapes, create, register
from .binary import F1, MCC, BinaryAccuracy, Fbeta
from .classification import PCC, Accuracy, TopKAccuracy
from .custom import Caffe, CustomMetric, Loss, Torch, np
from .probability import CrossEntropy, NegativeLogLikelihood, Perplexity
from .regression import MAE, MSE, RMSE, MeanCosineSimilarity, MeanPairwiseDistance, PearsonCorrelation

__all__ = [
    "F1",
    "MAE",
    "MCC",
    "MSE",
    "PCC",
    "RMSE",
    "Accuracy",
    "BinaryAccuracy",
    "Caffe",
    "CompositeEvalMetric",
    "CrossEntropy",
    "CustomMetric",
    "EvalMetric",
    "Fbeta",
    "Loss",
    "MeanCosineSimilarity",
    "MeanPairwiseDistance",
    "NegativeLogLikelihood",
    "PearsonCorrelation",
    "Perplexity",
    "TopKAccuracy",
    "Torch",
    "alias",
    "check_label_shapes",
    "create",
    "np",
    "register",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
