"""scikit-learn and SciPy take arrays of mx.np through the namespace, and give such arrays back."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

# SciPy reads its variable when it is imported, so each runs in a process of its own.
SCRIPT = """
import json
import numpy as np
import scipy.integrate, scipy.special, scipy.stats
import sklearn
from sklearn import metrics
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler
import mixgrad as mx

rng = np.random.default_rng(0)
x = rng.normal(size=(60, 5))
y = (x[:, 0] + 0.3 * rng.normal(size=60) > 0).astype("int64")
calls = {
    "classes": lambda x, y: LinearDiscriminantAnalysis().fit(x, y).predict_proba(x),
    "components": lambda x, y: PCA(2, svd_solver="full").fit_transform(x),
    "regression": lambda x, y: Ridge(solver="svd").fit(x, x[:, 0]).predict(x),
    "scaler": lambda x, y: StandardScaler().fit_transform(x),
    "distances": lambda x, y: metrics.pairwise.euclidean_distances(x, x),
    "logsumexp": lambda x, y: scipy.special.logsumexp(x, axis=1),
    "softmax": lambda x, y: scipy.special.softmax(x, axis=1),
    "zscore": lambda x, y: scipy.stats.zscore(x),
    "kurtosis": lambda x, y: scipy.stats.kurtosis(x),
    "trapezoid": lambda x, y: scipy.integrate.trapezoid(x, axis=0),
}
found = {}
with sklearn.config_context(array_api_dispatch=True):
    for name, call in calls.items():
        ours = call(mx.np.array(x, dtype="float64"), mx.np.array(y, dtype="int64"))
        apart = float(abs(ours.asnumpy() - call(x, y)).max()) if type(ours) is mx.np.ndarray else None
        found[name] = [type(ours).__module__, str(ours.dtype), apart]
leaf = mx.np.array(x, dtype="float64")
leaf.attach_grad()
with mx.autograd.record():
    total = scipy.special.logsumexp(leaf, axis=1)
total.backward()
apart = float(abs(leaf.grad.asnumpy() - scipy.special.softmax(x, axis=1)).max())
found["gradient"] = [type(leaf.grad).__module__, str(leaf.grad.dtype), apart]
print(json.dumps(found))
"""


def test_results_are_as_of_numpy() -> None:
    for module in ("sklearn", "scipy"):
        pytest.importorskip(module)
    environment = {**os.environ, "SCIPY_ARRAY_API": "1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found) == 11
    for name, (module, dtype, apart) in found.items():
        assert (module, dtype) == ("mixgrad.numpy.ndarray", "float64"), name
        assert apart < 1e-12, name
