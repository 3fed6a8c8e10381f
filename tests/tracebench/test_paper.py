"""The set of the paper's design (facts 6 and 7.1, behaviours 22 and 24), whole when slow.

The small version has one system, two seeds and few held-out samples; else it is the same.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchwright.canonical import digest_file, digest_tree
from benchwright.executors import SerialExecutor
from benchwright.storage import read_json
from benchwright.suites.tracebench.batches import quota
from benchwright.suites.tracebench.build import PUBLIC, build
from benchwright.suites.tracebench.golds import read_gold, recipe_of
from benchwright.suites.tracebench.labels import shown
from benchwright.suites.tracebench.probes import refusals
from benchwright.suites.tracebench.prompt import instruction
from benchwright.suites.tracebench.recipes import validate
from benchwright.suites.tracebench.series import read_heldout, read_sample
from benchwright.suites.tracebench.simulate import simulate
from benchwright.suites.tracebench.snr import ratios
from benchwright.suites.tracebench.solvability.reasons import Reason
from benchwright.suites.tracebench.spec import Spec, load_spec
from benchwright.suites.tracebench.systems import SYSTEMS
from benchwright.tasks.model import Task
from benchwright.tasks.taskset import HeldSet, TaskSet


def small(system: str, **changes: object) -> Spec:
    spec = load_spec("paper")
    kept = {"systems": (system,), "seeds": (0, 1), "heldout": 3, "secret": False}
    return replace(spec, **{**kept, **changes})  # type: ignore[arg-type]


WHOLE = pytest.param("whole", marks=pytest.mark.slow)


@pytest.fixture(scope="module", params=["MassSlide", WHOLE])
def paper(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TaskSet]:
    spec = load_spec("paper") if request.param == "whole" else small(request.param)
    out = tmp_path_factory.mktemp("paper") / "set"
    yield build(spec, out, SerialExecutor(), fixed=PUBLIC)
    shutil.rmtree(out)


def samples(paper: TaskSet) -> pd.DataFrame:
    return pd.read_parquet(HeldSet.open(paper.path).shared("samples.parquet")).set_index("name")


def examples(task: Task) -> dict[str, str]:
    file = task.files / "train_labels.json"
    return dict(json.loads(file.read_text())) if file.exists() else {}


def cell(task: Task) -> tuple[str, str, str, int]:
    axes = task.axes
    return axes["noise"], axes["mode"], axes["context"], int(axes["shots"])


def test_every_system_and_seed_has_a_task_in_every_condition(paper: TaskSet) -> None:
    spec = load_spec("paper")
    cells = {(c.level.name, c.mode, c.context, c.shots) for c in spec.cells}
    found = defaultdict(list)
    for task in paper.tasks:
        found[task.cluster].append(cell(task))
    assert all(len(given) == 9 and set(given) == cells for given in found.values())
    assert len(found) == len(paper.spec["systems"]) * len(paper.spec["seeds"])


def test_test_batches_are_balanced_and_shared_by_all_conditions(paper: TaskSet) -> None:
    table = samples(paper)
    batches = defaultdict(set)
    for task in paper.tasks:
        batches[task.cluster].add(task.submission.samples)
        found = Counter(table.loc[list(task.submission.samples), "label"])
        assert found == quota(SYSTEMS[task.axes["system"]].labels, 10)
    assert all(len(batch) == 1 for batch in batches.values())
    names = [name for (batch,) in batches.values() for name in batch]
    assert len(names) == len(set(names))


def test_an_episode_has_as_many_examples_per_label_as_it_says_and_no_configuration_twice(
    paper: TaskSet,
) -> None:
    table = samples(paper)
    for task in paper.tasks:
        shots, given = int(task.axes["shots"]), examples(task)
        assert Counter(given.values()) == Counter(dict.fromkeys(task.submission.labels, shots)) or (
            not shots and not given
        )
        names = [*task.submission.samples, *given]
        assert table.loc[names, "configuration"].is_unique
        assert len(names) == 10 + shots * len(task.submission.labels)
        files = {p.relative_to(task.files).as_posix() for p in task.files.rglob("*.*")}
        expected = {f"test_samples/{name}" for name in task.submission.samples}
        expected |= {f"train_samples/{name}" for name in given}
        assert files == expected | ({"train_labels.json"} if shots else set())


def test_conditions_at_one_level_share_one_noise_realisation(paper: TaskSet) -> None:
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)
    for task in paper.tasks:
        for path in task.files.glob("*/*.parquet"):
            seen[task.axes["noise"], path.name].add(digest_file(path))
    assert all(len(digests) == 1 for digests in seen.values())
    by_name: dict[str, set[str]] = defaultdict(set)
    for (_, name), digests in seen.items():
        by_name[name] |= digests
    assert {len(digests) for digests in by_name.values()} <= {2, 3}


def test_labels_shown_to_an_agent_are_true_in_every_condition(paper: TaskSet) -> None:
    labels = {str(name): str(label) for name, label in samples(paper)["label"].items()}
    held = HeldSet.open(paper.path)
    for task in paper.tasks:
        names = shown(SYSTEMS[task.axes["system"]], task.axes["context"])
        answers = read_gold(held.gold(task.id))
        truths = {**answers.truth, **examples(task)}
        truths |= answers.heldout.truth if answers.heldout else {}
        assert set(truths.values()) <= set(task.submission.labels)
        assert all(names[labels[name]] == truth for name, truth in truths.items())
        assert (answers.heldout is None) == (task.axes["mode"] == "direct")
        if task.axes["context"] == "none":
            words = (task.files / "train_labels.json").read_text() + task.instruction
            assert "label_0" in words
            assert not [label for label in names if f'"{label}"' in words]


def test_the_instruction_of_a_task_is_the_prompt_of_its_condition(paper: TaskSet) -> None:
    for task in paper.tasks:
        _, _, context, shots = cell(task)
        system = SYSTEMS[task.axes["system"]]
        assert task.instruction == instruction(system, task.submission.mode, context, shots)


def test_every_sample_has_published_rows_and_types(paper: TaskSet) -> None:
    for task in paper.tasks:
        system = SYSTEMS[task.axes["system"]]
        for path in sorted(task.files.glob("*/*.parquet"))[::7]:
            frame = pd.read_parquet(path)
            assert list(frame.columns) == ["col1", "col2", "col3", "col4"]
            assert len(frame) == system.horizon_s * system.rate_hz - 1
            assert frame["col4"].iloc[0] == np.float32(1 / system.rate_hz)
            assert set(frame.dtypes) == {np.dtype("float32")}
            assert np.isfinite(frame.to_numpy()).all()


def test_heldout_configurations_are_in_no_batch_and_serve_every_class(paper: TaskSet) -> None:
    table = samples(paper)
    count = paper.spec["heldout"]
    for _, rows in table.groupby("system"):
        held = rows[rows["split"] == "heldout"]
        used = set(rows.loc[rows["split"] != "heldout", "configuration"])
        assert not used & set(held["configuration"])
        assert held["configuration"].nunique() == count
        assert set(held.groupby("label")["configuration"].nunique()) == {count}
        assert set(held.groupby("configuration")["label"].nunique()) == {held["label"].nunique()}


def test_no_configuration_tells_the_class_over_the_seeds(paper: TaskSet) -> None:
    table = samples(paper)
    batches = table[table["split"] != "heldout"]
    for _, rows in batches.groupby(["system", "split"]):
        served = rows.groupby("configuration")["label"]
        assert (served.nunique() == served.size()).all() and (served.size() >= 2).all()


def test_every_sample_is_solvable_under_the_rules_and_its_configuration_twice(
    paper: TaskSet,
) -> None:
    table = samples(paper)
    for system, rows in table.groupby("system"):
        recipes = [recipe_of(json.loads(content)) for content in rows["content"]]
        stepped = [recipe for recipe in recipes if recipe.step is not None]
        for recipe in stepped:
            validate(recipe)
        assert set(refusals(stepped, dynamics="exact")) == {Reason.KEPT}, system
    manifest = read_json(HeldSet.open(paper.path).shared("manifest.json"))
    for told in manifest["systems"].values():
        assert told["pool"]["kept"] >= told["pool"]["complete"]


def test_the_manifest_counts_distinct_configurations_per_class(paper: TaskSet) -> None:
    table = samples(paper)
    manifest = read_json(HeldSet.open(paper.path).shared("manifest.json"))
    assert manifest["dynamics"] == "exact"
    for (system, split), rows in table.groupby(["system", "split"]):
        told = manifest["systems"][system]["splits"][split]
        found = rows.groupby("label")["configuration"].nunique().to_dict()
        assert told["configurations"] == found
        assert told["samples"] == dict(Counter(rows["label"]))
        assert told["distinct_configurations"] == rows["configuration"].nunique()


def test_the_manifest_tells_the_noise_of_every_channel_as_its_files_have_it(
    paper: TaskSet,
) -> None:
    manifest = read_json(HeldSet.open(paper.path).shared("manifest.json"))
    for name, system in SYSTEMS.items():
        if name not in paper.spec["systems"]:
            continue
        told = manifest["systems"][name]["snr"]
        assert set(told) == {"none", "low", "high"}
        for level in ("low", "high"):
            found = measured(paper, name, level)
            assert [row["channel"] for row in told[level]] == [c.label for c in system.channels]
            for row, values in zip(told[level], found.T, strict=True):
                heard = values[np.isfinite(values)]
                assert row["mean_db"] == pytest.approx(heard.mean(), abs=0.0051)
                assert row["sd_db"] == pytest.approx(heard.std(ddof=1), abs=0.0051)
                assert (row["samples"], row["without_effect"]) == (
                    heard.size,
                    values.size - heard.size,
                )
        assert {row["mean_db"] for row in told["none"]} == {None}


def measured(paper: TaskSet, system: str, level: str) -> np.ndarray:
    """Ratios in dB [sample, channel] of every sample at a level, from the bytes of the set."""
    held = HeldSet.open(paper.path)
    table = samples(paper)
    tasks = [t for t in paper.tasks if (t.axes["system"], t.axes["noise"]) == (system, level)]
    series = {p.name: read_sample(p) for t in tasks for p in t.files.glob("*/*.parquet")}
    series |= dict(read_heldout(held.shared(f"heldout-{system.lower()}-{level}.parquet")))
    runs = simulate([recipe_of(json.loads(table.loc[n, "content"])) for n in series], "exact")
    noisy = np.stack([series[name].T[:-1] for name in series])
    return ratios(runs.samples, noisy)


def test_fewer_examples_are_the_first_of_more_and_seeds_share_none(tmp_path: Path) -> None:
    block = replace(load_spec("grid").blocks[0], context=("full",), modes=("direct",))
    block = replace(block, noise=block.noise[:1], shots=(0, 1, 3, 2))
    spec = small("MassSlide", blocks=(block,), cells=block.cells, seeds=(0, 1))
    made = build(spec, tmp_path / "set", SerialExecutor(), fixed=PUBLIC)
    given = {(t.axes["seed"], t.axes["shots"]): set(examples(t)) for t in made.tasks}
    for seed in "01":
        assert set() == given[seed, "0"] < given[seed, "1"] < given[seed, "2"] < given[seed, "3"]
    assert not given["0", "3"] & given["1", "3"]
    assert digest_tree(made.path) == digest_tree(
        build(spec, tmp_path / "again", SerialExecutor(), fixed=PUBLIC).path
    )
