"""The audit of tracebench: what it cuts out, what it finds, when a set is drawn again."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchwright.canonical import digest
from benchwright.checks.model import Note, Problem
from benchwright.checks.shortcuts.audit import LEAST_SAMPLES, ask, judged
from benchwright.checks.shortcuts.view import View
from benchwright.cli import exit_code as run
from benchwright.cli.check import check_set
from benchwright.errors import SpecError, installing
from benchwright.executors import SerialExecutor
from benchwright.storage import read_json
from benchwright.suites.tracebench.audited import Audited, Listed, Observed
from benchwright.suites.tracebench.build import DYNAMICS, PUBLIC, build, secrets_of, write_set
from benchwright.suites.tracebench.leak_views import (
    change_rows,
    common_length,
    told_without,
    views,
)
from benchwright.suites.tracebench.listings import listing_view
from benchwright.suites.tracebench.manifest import AuditHistory, audit_of
from benchwright.suites.tracebench.noise import NoiseKey, observe, spreads_of, variance
from benchwright.suites.tracebench.plans import Plan, Secrets, planned
from benchwright.suites.tracebench.recipes import Recipe
from benchwright.suites.tracebench.redraw import drawn_until_silent
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.shortcuts import audit, findings
from benchwright.suites.tracebench.simulate import change_row, simulate
from benchwright.suites.tracebench.spec import Spec, load_spec, parse_spec
from benchwright.tasks.taskset import HeldSet, TaskSet

pytestmark = pytest.mark.filterwarnings("default")  # of the learners' libraries

SMALL = {"suite": "tracebench", "systems": ["MassSlide"], "secret": False}
LARGE = {
    **{"suite": "tracebench", "systems": ["BallDrop"], "secret": False},
    **{"noise": ["none"], "modes": ["programmatic"], "heldout": 138},
    "recipes": {"policy": "paper-like"},
}
"""700 samples whose listings can be audited, and whose noise need not be."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> TaskSet:
    out = tmp_path_factory.mktemp("small") / "set"
    return build(parse_spec({**SMALL, "shots": [1]}, "test"), out, SerialExecutor())


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> TaskSet:
    spec = parse_spec({**SMALL, "noise": ["none"]}, "test")
    return build(spec, tmp_path_factory.mktemp("quiet") / "set", SerialExecutor())


@pytest.fixture(scope="module")
def seen(small: TaskSet) -> Observed:
    return Audited(small.path).observed("MassSlide", "low")


def test_every_sample_of_a_set_is_audited_once(small: TaskSet) -> None:
    audited = Audited(small.path)
    assert audited.parts == (("MassSlide", "high"), ("MassSlide", "low"))
    names = audited.names("MassSlide")
    assert names == tuple(sorted(audited.recipes)) == audited.names("MassSlide", "high")
    assert audited.observed("MassSlide", "low").names == names


def test_samples_are_cut_before_their_change_and_unchanged_ones_where_others_change(
    seen: Observed,
) -> None:
    system, steps = seen.clean.system, [recipe.step for recipe in seen.clean.recipes]
    rows = change_rows(seen)
    own = {change_row(system, step.time) for step in steps if step}
    for row, step in zip(rows, steps, strict=True):
        assert row == change_row(system, step.time) if step else row in own
    assert len({row for row, step in zip(rows, steps, strict=True) if step is None}) > 1


def test_nine_samples_in_ten_have_the_common_length(seen: Observed) -> None:
    rows = change_rows(seen)
    length = common_length(rows)
    assert (rows >= length).mean() >= 0.9 > (rows > length).mean()
    assert common_length(np.array([5, 1, 2, 3, 4, 6, 7, 8, 9, 10])) == 2


def test_views_show_rows_before_the_change_and_no_others(seen: Observed) -> None:
    rows = change_rows(seen)
    before, noise, aligned, just = views(seen)
    assert [v.decides for v in (before, noise, aligned, just)] == [True, True, True, False]
    length = common_length(rows)
    for place, name in enumerate(before.samples):
        index = seen.names.index(name)
        assert rows[index] >= length
        shown = seen.noisy[index, :, :length]
        assert np.array_equal(before.data[place], shown)
        assert noise.data[place] == pytest.approx(
            shown - seen.clean.samples[index, :, :length], abs=1e-5
        )
        last = seen.noisy[index, :, rows[index] - length : rows[index]]
        assert np.array_equal(just.data[place], last)
        recipe = seen.clean.recipes[index]
        assert (before.labels[place], before.groups[place]) == (recipe.label, recipe.configuration)


def aligned_noise(seen: Observed) -> View:
    (view,) = (view for view in views(seen) if view.name == "noise just before the change")
    return view


def test_noise_just_before_a_change_is_in_units_of_what_the_unchanged_run_expects(
    seen: Observed,
) -> None:
    view, rows = aligned_noise(seen), change_rows(seen)
    assert view.data.std() == pytest.approx(1.0, abs=0.1)
    first = seen.clean.recipes[seen.names.index(view.samples[0])]
    (spreads,) = spreads_of(simulate([first.baseline()], seen.dynamics))
    index, length = seen.names.index(view.samples[0]), view.data.shape[2]
    shown = slice(rows[index] - length, rows[index])
    for channel, spread in enumerate(spreads):
        noise = seen.noisy[index, channel, shown] - seen.clean.samples[index, channel, shown]
        expected = noise / np.sqrt(variance(spread, 1.0))[shown]
        assert view.data[0, channel] == pytest.approx(expected, rel=1e-3, abs=1e-3)


def many(announcing: str | None) -> Observed:
    """Runs of 80 configurations at high noise; a class may have ten noisier rows at its end."""
    found = shipped("MassSlide")
    kinds = {recipe.label: recipe for recipe in [*found, found[0].baseline()]}
    made = []
    for number in range(80):
        values = {**found[0].values, "mass": 1.0 + number / 100}
        made += [
            replace(recipe, values=values, step=step and replace(step, time=5.0))
            for recipe in kinds.values()
            for step in (recipe.step,)
        ]
    names, clean = tuple(f"{place:04}" for place in range(len(made))), simulate(made, "exact")
    noisy = observe(clean, 4.0, NoiseKey("planted", names)).samples.copy()
    row = change_row(clean.system, 5.0)
    for index, recipe in enumerate(made):
        if recipe.label == announcing:
            last = np.s_[index, :, row - 10 : row]
            noisy[last] = clean.samples[last] + 4.0 * (noisy[last] - clean.samples[last])
    return Observed("MassSlide", "high", "exact", names, noisy, clean)


@pytest.mark.parametrize(
    "announcing", [pytest.param(None, marks=pytest.mark.slow), "gravity acceleration"]
)
def test_noise_that_announces_a_change_is_found_and_ours_does_not(announcing: str | None) -> None:
    verdicts = judged(ask(aligned_noise(many(announcing))))
    assert {verdict.answer.learner for verdict in verdicts} == {"MiniRocket", "gradient boosting"}
    assert any(verdict.fires for verdict in verdicts) == (announcing is not None)


def test_without_noise_the_rows_before_a_change_are_those_of_the_unchanged_run(
    quiet: TaskSet,
) -> None:
    exact = Audited(quiet.path).observed("MassSlide", "none")
    assert told_without(exact) == ()
    leaky = exact.noisy.copy()
    leaky[3, 2, 0] *= 1.001
    assert told_without(replace(exact, noisy=leaky)) == (exact.names[3],)


def listing(size: int = 5000) -> tuple[dict[str, Listed], dict[str, Recipe]]:
    """700 held-out samples of 140 configurations and their recipes, listed by salted names."""
    found = shipped("BallDrop")
    made: dict[str, Recipe] = {}
    kinds = {recipe.label: recipe for recipe in [*found, found[0].baseline()]}
    for number in range(140):
        for recipe in kinds.values():
            values = {**found[0].values, "mass": 1.0 + number / 100}
            one = replace(recipe, values=values)
            made[digest(["salt", one.digest])] = one
    names = sorted(made)
    listed = {
        name: Listed("heldout", place, len(names), {"low": size})
        for place, name in enumerate(names)
    }
    return listed, made


def test_sizes_and_order_that_are_salted_tell_nothing() -> None:
    listed, recipes = listing()
    (found,) = judged(ask(listing_view("BallDrop", listed, recipes)))
    assert found.answer.samples == LEAST_SAMPLES and not found.fires
    assert found.chance == pytest.approx(0.2)


def test_a_file_size_that_depends_on_the_class_is_found() -> None:
    listed, recipes = listing()
    grown = {
        name: replace(one, sizes={"low": 5000 + len(recipes[name].label)})
        for name, one in listed.items()
    }
    (found,) = judged(ask(listing_view("BallDrop", grown, recipes)))
    assert found.fires and found.accuracy > 0.9


def test_an_order_that_depends_on_the_class_is_found() -> None:
    listed, recipes = listing()
    order = sorted(listed, key=lambda name: (recipes[name].label, name))
    placed = {name: replace(listed[name], place=place) for place, name in enumerate(order)}
    (found,) = judged(ask(listing_view("BallDrop", placed, recipes)))
    assert found.fires and found.accuracy > 0.9


def test_a_set_with_few_samples_is_not_audited_and_not_unsound(
    small: TaskSet, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(small.path), "--only", "structure,shortcuts"]) == 0
    *told, last, _ = capsys.readouterr().out.splitlines()
    count = len(Audited(small.path).recipes)
    few = f"not audited: {count} samples of a system at most, {LEAST_SAMPLES} needed"
    assert told[-1] == f"  skipped shortcuts: {few}"
    assert last.startswith("sound as far as checked (structure); not checked: ")
    assert last.endswith("shortcuts")


def test_parts_that_could_not_be_audited_are_named(quiet: TaskSet) -> None:
    clean, files = findings(audit(quiet.path, SerialExecutor()))
    assert isinstance(clean, Note) and not clean.skipped
    assert isinstance(files, Note) and files.skipped and "files: not audited" in files.text


def test_a_spec_with_an_audit_needs_samples_and_says_so(tmp_path: Path) -> None:
    spec = parse_spec({**SMALL, "audit": True}, "test")
    with pytest.raises(SpecError, match="too few samples to audit"):
        build(spec, tmp_path / "set", SerialExecutor())
    assert list(tmp_path.iterdir()) == []


def test_only_a_spec_with_an_audit_says_so(quiet: TaskSet) -> None:
    spec = load_spec("paper")
    assert "audit" not in replace(spec, audit=False).whole()
    again = parse_spec(replace(spec, audit=True).whole(), "test")
    assert again.audit and again.public()["audit"] is True
    told = read_json(HeldSet.open(quiet.path).shared("manifest.json"))
    assert "audit" not in told


def tell_tale(spec: Spec, secrets: Secrets) -> list[Plan]:
    """The plan of a spec whose file names are in the order of the classes."""
    (plan,) = (planned(spec, name, secrets, DYNAMICS) for name in spec.systems)
    batches = (*plan.split.tests.values(), *plan.split.support.values(), plan.split.heldout)
    kinds = {r.digest: plan.system.labels.index(r.label) for batch in batches for r in batch}
    return [replace(plan, names={key: f"{kinds[key]}{n}" for key, n in plan.names.items()})]


@pytest.fixture(scope="module")
def drawn_twice(tmp_path_factory: pytest.TempPathFactory) -> TaskSet:
    """A set whose first draw was listed by class."""
    spec = parse_spec({**LARGE, "audit": True}, "test")

    def write(folder: Path, drawn: Secrets, history: AuditHistory) -> TaskSet:
        fair: Sequence[Plan] = [planned(spec, name, drawn, DYNAMICS) for name in spec.systems]
        plans = tell_tale(spec, drawn) if drawn == PUBLIC else fair
        return write_set(spec, plans, drawn, history, folder, SerialExecutor())

    out = tmp_path_factory.mktemp("twice") / "set"
    return drawn_until_silent(write, PUBLIC, out, SerialExecutor())


def test_a_draw_that_tells_its_classes_is_drawn_again_and_the_manifest_says_so(
    drawn_twice: TaskSet, capsys: pytest.CaptureFixture[str]
) -> None:
    held = HeldSet.open(drawn_twice.path)
    first, second = audit_of(held)
    assert (first["fires"], second["fires"]) == (True, False)
    assert [answer["fires"] for answer in first["answers"]] == [True]
    assert secrets_of(held).seed not in (PUBLIC.seed, "") and secrets_of(held).salt == PUBLIC.salt
    assert {p.name for p in drawn_twice.path.parent.iterdir()} == {"set"}


def test_the_final_draw_is_made_again_without_another_audit(drawn_twice: TaskSet) -> None:
    found = check_set(drawn_twice.path, "rebuild").found
    assert [f for f in found if isinstance(f, Problem)] == []
    assert isinstance(found[0], Note) and "to the byte" in found[0].text
    spec = parse_spec({**LARGE, "audit": True}, "test")
    again = build(spec, drawn_twice.path, SerialExecutor())
    assert again.digest == drawn_twice.digest
    assert [draw["fires"] for draw in audit_of(HeldSet.open(again.path))] == [True, False]


@pytest.mark.slow
def test_a_way_to_draw_that_always_tells_is_refused(tmp_path: Path) -> None:
    spec = parse_spec({**LARGE, "audit": True}, "test")
    plans, tried = tell_tale(spec, PUBLIC), []

    def write(folder: Path, drawn: Secrets, history: AuditHistory) -> TaskSet:
        tried.append(drawn.seed)
        return write_set(spec, plans, drawn, history, folder, SerialExecutor())

    with pytest.raises(SpecError, match=r"each of 3 draws .* sizes and order of files"):
        drawn_until_silent(write, PUBLIC, tmp_path / "set", SerialExecutor())
    assert len(set(tried)) == len(tried) == 3 and list(tmp_path.iterdir()) == []


def test_what_was_drawn_last_is_what_the_audit_acquits(drawn_twice: TaskSet) -> None:
    found = audit(drawn_twice.path, SerialExecutor())
    assert not found.fires and found.short == ()
    assert all(isinstance(one, Note) and not one.skipped for one in findings(found))
    assert json.loads(json.dumps(found.told)) == audit_of(HeldSet.open(drawn_twice.path))[-1]


BLOCKED = """
import sys
sys.modules["aeon"] = None
from benchwright.cli import exit_code
sys.exit(exit_code(["check", sys.argv[1], "--only", "shortcuts"]))
"""


def test_without_the_extra_one_line_says_what_to_install(drawn_twice: TaskSet) -> None:
    words = [sys.executable, "-c", BLOCKED, str(drawn_twice.path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    told, last, _ = done.stdout.splitlines()
    assert done.returncode == 0 and done.stderr == ""
    assert told.startswith("  skipped shortcuts: not audited")
    assert told.endswith(installing("baselines"))
    assert last.endswith("soundness, shortcuts")
