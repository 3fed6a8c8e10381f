"""Learners find what is planted, acquit what tells nothing, and see no order and no half family."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from benchwright.checks.shortcuts.audit import LEVEL, Verdict, ask, judged
from benchwright.checks.shortcuts.features import features
from benchwright.checks.shortcuts.learners import LEARNERS, Learner
from benchwright.checks.shortcuts.view import FOLDS, Floats, Integers, View, folds
from benchwright.errors import SpecError
from tests.shortcuts.made import Leak, louder, offset, series_view, silent, view

pytestmark = pytest.mark.filterwarnings("default")  # of the learners' libraries


def verdicts(*views: View) -> list[Verdict]:
    return judged(answer for one in views for answer in ask(one))


@pytest.mark.parametrize("leak", [offset, louder])
def test_a_planted_leak_is_found_by_both_learners(leak: Leak) -> None:
    found = verdicts(series_view(leak))
    assert [v.answer.learner for v in found] == [learner.name for learner in LEARNERS]
    assert [v.fires for v in found] == [True, True]
    assert all(v.accuracy > v.interval[1] > v.chance for v in found)


def test_series_that_tell_nothing_are_acquitted() -> None:
    found = verdicts(series_view(silent))
    assert [v.fires for v in found] == [False, False]
    assert all(v.chance == pytest.approx(0.25) and v.p > v.tail for v in found)


def test_a_view_that_informs_never_decides_and_takes_no_share_of_the_level() -> None:
    leaky, fine = series_view(offset), series_view(silent)
    found = verdicts(replace(leaky, decides=False), fine)
    assert [v.answer.learner for v in found] == [
        "gradient boosting",
        "MiniRocket",
        "gradient boosting",
    ]
    assert not any(v.fires for v in found)
    assert {v.tail for v in found} == {LEVEL / len(LEARNERS)}
    assert found[0].p < found[0].tail


def test_a_configuration_that_is_recognised_tells_nothing() -> None:
    # Each configuration serves two classes only, and shows which: half of the guesses are right.
    made = series_view(silent, groups=80)
    kinds = [int(group[1:]) % 2 for group in made.groups]
    kept = [i for i, label in enumerate(made.labels) if (label in ("drag", "mass")) == kinds[i]]
    shown = made.data[kept] + np.array([kinds[i] for i in kept])[:, None, None]
    labels, groups = ([names[i] for i in kept] for names in (made.labels, made.groups))
    for found in verdicts(view(shown, tuple(labels), tuple(groups))):
        assert found.chance > 0.45 and not found.fires


def test_the_order_of_samples_changes_nothing() -> None:
    made = series_view(louder, groups=20)
    order = np.random.default_rng(1).permutation(len(made.samples))
    samples, labels, groups = (
        tuple(names[i] for i in order) for names in (made.samples, made.labels, made.groups)
    )
    other = replace(made, samples=samples, labels=labels, groups=groups, data=made.data[order])
    assert [a.hits for a in ask(made)] == [a.hits for a in ask(other)]


def test_no_configuration_is_parted_by_a_fold_and_every_fold_has_its_share() -> None:
    groups = series_view().groups
    parts = folds(groups)
    assert {
        len({int(p) for p, g in zip(parts, groups, strict=True) if g == n}) for n in groups
    } == {1}
    assert np.bincount(parts).tolist() == [len(groups) // FOLDS] * FOLDS


def test_fewer_configurations_than_folds_are_refused() -> None:
    with pytest.raises(SpecError):
        folds(("a", "b", "b", "c"))


def test_a_table_is_shown_to_the_trees_alone() -> None:
    draw = np.random.default_rng(2)
    made = series_view()
    sizes = draw.integers(1000, 1100, (len(made.labels), 2)).astype(float)
    assert [v.fires for v in verdicts(replace(made, data=sizes))] == [False]
    sizes[:, 1] += 30 * np.array([label == "mass" for label in made.labels])
    (found,) = verdicts(replace(made, data=sizes))
    assert found.fires and found.answer.learner == "gradient boosting"


def test_features_are_finite_where_nothing_moves_and_show_a_quantiser() -> None:
    still = np.zeros((2, 3, 20), np.float32)
    assert np.isfinite(features(still)).all()
    rough = np.random.default_rng(3).normal(size=(1, 1, 200))
    coarse = np.round(rough / 0.25) * 0.25
    assert 0.25 in features(coarse) and 0.25 not in features(rough)


def nearest(data: Floats, labels: Integers, parts: Integers) -> Integers:
    """The class whose mean over the other folds is nearest: cheap, and it learns."""
    table = data.reshape(len(data), -1).astype(np.float64)
    guesses = np.empty_like(labels)
    for fold in np.unique(parts):
        out = parts == fold
        kinds = np.unique(labels[~out])
        means = np.stack([table[~out & (labels == kind)].mean(axis=0) for kind in kinds])
        apart = ((table[out][:, None] - means) ** 2).sum(axis=2)
        guesses[out] = kinds[apart.argmin(axis=1)]
    return guesses


def neighbour(data: Floats, labels: Integers, parts: Integers) -> Integers:
    """The class of the nearest sample of another fold: often one of two that are each other's."""
    apart = ((data[:, None] - data[None]) ** 2).sum(axis=2)
    apart[parts[:, None] == parts[None]] = np.inf
    return np.asarray(labels[apart.argmin(axis=1)])


@pytest.mark.slow
@pytest.mark.parametrize("learn", [nearest, neighbour])
@pytest.mark.parametrize("alike", [0.0, 1.0])
def test_shuffled_classes_are_accused_no_more_often_than_the_level_says(
    alike: float, learn: Callable[[Floats, Integers, Integers], Integers]
) -> None:
    # Samples of a configuration are shuffled among its classes, as the law has it: 1,000 p-values.
    # `alike` is how much they have in common beside what is their own.
    draw, groups, kinds = np.random.default_rng(5), 60, 4
    common = alike * draw.normal(size=(groups, 1, 6))
    shown = common + draw.normal(size=(groups, kinds, 6))
    names = tuple(f"c{group:03d}" for group in range(groups) for _ in range(kinds))
    labels = tuple("abcd"[kind] for _ in range(groups) for kind in range(kinds))
    found = []
    for _ in range(1000):
        table = np.stack([own[draw.permutation(kinds)] for own in shown])
        made = view(table.reshape(-1, 6), labels, names)
        (verdict,) = judged(ask(made, [Learner("cheap", learn)]))
        found.append(verdict.p)
    for level in (0.005, 0.02, 0.1, 0.3):
        fired = np.mean(np.array(found) <= level)
        assert fired <= level + 3 * np.sqrt(level * (1 - level) / len(found))
    assert np.mean(np.array(found) <= 0.3) > 0.1  # it is a test, not a shrug
