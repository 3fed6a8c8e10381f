"""The two learners of the audit: MiniRocket with ridge, and gradient boosting on hand features.

Take data, classes and folds; give the guess about every sample of a learner that saw the other
folds only. Seeded and on one thread, so the same data give the same guesses on one machine.
MiniRocket's features are made without any class, so once for all folds (Dempster, Schmidt and Webb,
KDD 2021).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchwright.checks.shortcuts.features import features
from benchwright.checks.shortcuts.view import Floats, Integers, View, numbered
from benchwright.errors import MissingExtraError, installing

_SEED = 0
_LEAST_ROWS = 9
"""The length of a kernel of MiniRocket."""


@dataclass(frozen=True, slots=True)
class Learner:
    """One way to learn classes from data."""

    name: str
    guesses: Callable[[Floats, Integers, Integers], Integers]
    """From data, class numbers and folds [sample], to guesses [sample]."""
    fits: Callable[[View], bool] = lambda view: True
    """Whether it can look at such data."""


def require() -> None:
    """Nothing, or MissingExtraError where a learner cannot be loaded."""
    _minirocket()
    _boosting()


def by_kernels(data: Floats, labels: Integers, folds: Integers) -> Integers:
    """Ridge regression on the shares of rows that random kernels find, one scale per channel."""
    transform, classifier = _minirocket()
    size = np.sqrt(np.mean(np.square(data, dtype=np.float64), axis=(0, 2), keepdims=True))
    scaled = (data / np.where(size > 0.0, size, 1.0)).astype(np.float32)
    return _out_of_fold(transform(scaled), labels, folds, classifier)


def by_features(data: Floats, labels: Integers, folds: Integers) -> Integers:
    """Gradient boosted trees on hand features of series, or on the columns of a table."""
    table = features(data) if data.ndim == 3 else data
    return _out_of_fold(table, labels, folds, _boosting())


def _deserves_kernels(view: View) -> bool:
    """Series of some length; they take ten times as long as trees, so only where it decides."""
    return view.series and view.decides and view.data.shape[2] >= _LEAST_ROWS


LEARNERS = (
    Learner("MiniRocket", by_kernels, _deserves_kernels),
    Learner("gradient boosting", by_features),
)


def guessed(learner: Learner, view: View, folds: Integers) -> Integers:
    """The guess about every sample, as numbers of the view's classes in sorted order."""
    return learner.guesses(view.data, numbered(view.labels), folds)


def _out_of_fold(
    table: Any, labels: Integers, folds: Integers, classifier: Callable[[], Any]
) -> Integers:
    from threadpoolctl import threadpool_limits

    guesses = np.empty_like(labels)
    with threadpool_limits(1):
        for fold in np.unique(folds):
            out = folds == fold
            fitted = classifier().fit(table[~out], labels[~out])
            guesses[out] = fitted.predict(table[out])
    return guesses


def _minirocket() -> tuple[Callable[[Floats], Any], Callable[[], Any]]:
    try:
        from aeon.transformations.collection.convolution_based import MiniRocket
        from sklearn.linear_model import RidgeClassifierCV
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
    except ImportError as error:
        raise _missing(error) from error
    except RuntimeError as error:  # numba found no place for compiled code
        raise MissingExtraError(
            "aeon cannot be loaded",
            value=str(error),
            where="shortcuts",
            hint="Set NUMBA_CACHE_DIR to a folder of yours that can be written.",
        ) from error

    def transform(series: Floats) -> Any:
        return MiniRocket(random_state=_SEED, n_jobs=1).fit_transform(series)

    def classifier() -> Any:
        ridge = RidgeClassifierCV(alphas=np.logspace(-3, 3, 10))
        return make_pipeline(StandardScaler(with_mean=False), ridge)

    return transform, classifier


def _boosting() -> Callable[[], Any]:
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
    except ImportError as error:
        raise _missing(error) from error
    return lambda: HistGradientBoostingClassifier(
        max_iter=100, max_leaf_nodes=8, early_stopping=False, random_state=_SEED
    )


def _missing(error: ImportError) -> MissingExtraError:
    return MissingExtraError(
        "the learners of the audit are not installed",
        value=error.name or "baselines",
        where="shortcuts",
        hint=installing("baselines"),
    )
