"""Building: two halves that give nothing away, the same bytes again, matched conditions."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from benchwright.canonical import digest_file, digest_tree
from benchwright.errors import SpecError
from benchwright.executors import SerialExecutor
from benchwright.storage import read_toml
from benchwright.suites.tracebench.build import DYNAMICS, PUBLIC, build, secrets_of
from benchwright.suites.tracebench.golds import frames, read_gold, recipe_of
from benchwright.suites.tracebench.prompt import instruction
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.simulate import simulate
from benchwright.suites.tracebench.spec import Spec, load_spec, parse_spec
from benchwright.suites.tracebench.systems import SYSTEMS
from benchwright.tasks.model import Task
from benchwright.tasks.taskset import HeldSet, TaskSet


def made(spec: Spec, out: Path) -> TaskSet:
    return build(spec, out, SerialExecutor())


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TaskSet]:
    out = tmp_path_factory.mktemp("demo") / "set"
    yield made(load_spec("demo"), out)
    shutil.rmtree(out)


def by_axes(tasks: TaskSet, **axes: str) -> list[Task]:
    return [t for t in tasks.tasks if all(t.axes[key] == value for key, value in axes.items())]


def digests(task: Task) -> dict[str, str]:
    return {path.name: digest_file(path) for path in (task.files / "test_samples").iterdir()}


def test_demo_has_a_task_for_every_cell(demo: TaskSet) -> None:
    cells = Counter((t.axes["system"], t.axes["noise"], t.axes["mode"]) for t in demo.tasks)
    assert len(cells) == 12 and set(cells.values()) == {1}
    assert {t.cluster for t in demo.tasks} == {f"{name}/0" for name in SYSTEMS}


def test_demo_says_that_its_answers_are_public_and_which_dynamics_it_has(demo: TaskSet) -> None:
    assert demo.marks == {"dynamics": "exact", "public": True}


def test_a_task_gives_ten_parquet_files_and_nothing_else(demo: TaskSet) -> None:
    for task in demo.tasks:
        files = sorted(p.relative_to(task.files).as_posix() for p in task.files.rglob("*.*"))
        assert files == [f"test_samples/{name}" for name in task.submission.samples]
        assert len(files) == 10 and list(task.submission.samples) == sorted(task.submission.samples)


def test_sizes_and_metadata_of_samples_give_nothing_away(demo: TaskSet) -> None:
    for task in demo.tasks:
        paths = list((task.files / "test_samples").iterdir())
        assert len({path.stat().st_size for path in paths}) == 1
        schemas = {str(pq.read_schema(path).metadata) for path in paths}
        assert schemas == {"None"}


def test_the_order_of_names_is_unrelated_to_the_order_of_labels(demo: TaskSet) -> None:
    held = HeldSet.open(demo.path)
    orders = set()
    for task in by_axes(demo, mode="direct", noise="low"):
        truth = read_gold(held.gold(task.id)).truth
        ranks = [task.submission.labels.index(truth[name]) for name in task.submission.samples]
        assert ranks != sorted(ranks) and ranks != sorted(ranks, reverse=True)
        orders.add(tuple(ranks))
    assert len(orders) == 3


def test_published_columns_are_float32_with_time_last(demo: TaskSet) -> None:
    for task in by_axes(demo, noise="high", mode="direct"):
        system = SYSTEMS[task.axes["system"]]
        for path in (task.files / "test_samples").iterdir():
            frame = pd.read_parquet(path)
            assert list(frame.columns) == ["col1", "col2", "col3", "col4"]
            assert set(frame.dtypes) == {np.dtype("float32")}
            assert len(frame) == system.horizon_s * system.rate_hz - 1
            assert frame["col4"].iloc[0] == np.float32(1 / system.rate_hz)
            assert np.isfinite(frame.to_numpy()).all()


def test_matched_conditions_share_their_samples_bit_for_bit(demo: TaskSet) -> None:
    groups = defaultdict(list)
    for task in demo.tasks:
        groups[task.axes["system"], task.axes["noise"]].append(digests(task))
    assert all(direct == programmatic for direct, programmatic in groups.values())


def test_levels_share_the_batch_but_not_the_noise_realisation(demo: TaskSet) -> None:
    held = HeldSet.open(demo.path)
    low, high = (
        by_axes(demo, system="BallDrop", mode="direct", noise=n)[0] for n in ("low", "high")
    )
    assert low.submission.samples == high.submission.samples
    answers = read_gold(held.gold(low.id))
    residuals = []
    for task in (low, high):
        parts = []
        for name in task.submission.samples:
            clean = simulate([answers.recipes[name]], DYNAMICS).samples[0, 1]
            parts.append(pd.read_parquet(task.files / "test_samples" / name)["col2"] - clean)
        residuals.append(np.concatenate(parts))
    assert abs(np.corrcoef(residuals)[0, 1]) < 0.05


def test_the_public_half_holds_no_truth_and_no_path_to_it(demo: TaskSet) -> None:
    held = HeldSet.open(demo.path)
    public = (demo.path / "taskset.toml").read_bytes()
    public += b"".join(p.read_bytes() for p in (demo.path / "tasks").rglob("*.toml"))
    for secret in (PUBLIC.seed, PUBLIC.salt, "intervention", "canary", "recipes behind"):
        assert secret.encode() not in public
    for task in demo.tasks:
        for recipe in read_gold(held.gold(task.id)).recipes.values():
            assert recipe.digest.encode() not in public


def test_the_public_half_names_labels_in_lists_of_all_of_them_only(demo: TaskSet) -> None:
    assert truth_told(demo) == []


@pytest.mark.parametrize(
    "place", ["answers.json", "tasks/notes.md", "tasks/{id}/x.txt", "tasks/{id}/files/b.csv"]
)
def test_true_labels_anywhere_in_the_public_half_are_seen(
    demo: TaskSet, tmp_path: Path, place: str
) -> None:
    copy = shutil.copytree(demo.path, tmp_path / "set")
    task = demo.tasks[0]
    told = copy / place.format(id=task.id)
    told.parent.mkdir(exist_ok=True)
    told.unlink(missing_ok=True)
    told.write_text("\n".join(read_gold(HeldSet.open(copy).gold(task.id)).truth.values()))
    assert truth_told(replace(demo, path=copy)) == [told.relative_to(copy).as_posix()]


LABELS = {label for system in SYSTEMS.values() for label in system.labels}


def truth_told(tasks: TaskSet) -> list[str]:
    """Public files, series apart, that name a label where none has to stand."""
    files = [p for p in tasks.path.rglob("*") if p.is_file() and p.suffix != ".parquet"]
    public = [p.relative_to(tasks.path) for p in files if tasks.path / "held" not in p.parents]
    return sorted(path.as_posix() for path in public if _tells(tasks, path))


def _tells(tasks: TaskSet, path: Path) -> bool:
    text = (tasks.path / path).read_text(encoding="utf-8")
    if path.name == "instruction.md":
        axes = read_toml(tasks.path / path.parent / "task.toml")["axes"]
        return text != instruction(SYSTEMS[axes["system"]], axes["mode"])
    if path.name == "task.toml":
        shown = read_toml(tasks.path / path)["submission"]["labels"]
        return any(text.count(f'"{label}"') != (label in shown) for label in LABELS)
    return any(re.search(rf"\b{label}\b", text) for label in LABELS)


def test_heldout_samples_exist_once_per_system_and_level(demo: TaskSet) -> None:
    shared = {path.name for path in (demo.path / "held" / "shared").iterdir()}
    series = {name for name in shared if name.startswith("heldout-")}
    assert series == {f"heldout-{s.lower()}-{n}.parquet" for s in SYSTEMS for n in ("low", "high")}


def test_frames_are_the_files_then_the_heldout_series(demo: TaskSet) -> None:
    held = HeldSet.open(demo.path)
    for task in by_axes(demo, mode="programmatic", noise="low"):
        gold = held.gold(task.id)
        answers = read_gold(gold)
        assert answers.heldout is not None
        seen = list(frames(task, gold, held))
        names = [frame.name for frame in seen]
        assert names[:10] == list(task.submission.samples)
        assert set(names[10:]) == set(answers.heldout.truth)
        assert len(names) == len(set(names))
        first = pd.read_parquet(task.files / "test_samples" / names[0])
        np.testing.assert_array_equal(first.to_numpy(), seen[0].values)
        assert {frame.values.dtype for frame in seen} == {np.dtype("float32")}
        assert {frame.values.shape for frame in seen} == {first.shape}


def test_direct_tasks_have_no_heldout_samples(demo: TaskSet) -> None:
    held = HeldSet.open(demo.path)
    for task in by_axes(demo, mode="direct"):
        gold = held.gold(task.id)
        assert read_gold(gold).heldout is None
        assert len(list(frames(task, gold, held))) == 10


def test_the_sample_table_names_every_sample_and_its_run(demo: TaskSet) -> None:
    held = HeldSet.open(demo.path)
    table = pd.read_parquet(held.shared("samples.parquet")).set_index("name")
    assert table.index.is_unique
    for task in demo.tasks:
        answers = read_gold(held.gold(task.id))
        for name, label in answers.truth.items():
            row = table.loc[name]
            assert (row["label"], row["split"], row["seed"]) == (label, "test", 0)
            assert recipe_of(json.loads(row["content"])) == answers.recipes[name]
        if answers.heldout is not None:
            rows = table.loc[list(answers.heldout.truth)]
            assert list(rows["label"]) == list(answers.heldout.truth.values())
            assert set(rows["split"]) == {"heldout"} and rows["seed"].isna().all()
            used = set(table.loc[list(answers.truth), "configuration"])
            assert not used & set(rows["configuration"])


def test_an_unchanged_sample_is_the_baseline_run(tmp_path: Path) -> None:
    spec = parse_spec({**SMALL, "systems": list(SYSTEMS), "noise": ["none"]}, "spec")
    tasks = made(spec, tmp_path / "set")
    for task in tasks.tasks:
        answers = read_gold(HeldSet.open(tasks.path).gold(task.id))
        for name, recipe in answers.recipes.items():
            unchanged = answers.truth[name] == "no parameter change"
            assert unchanged == (recipe.step is None)
            frame = pd.read_parquet(task.files / "test_samples" / name)
            baseline = simulate([recipe.baseline()], DYNAMICS).frame(0)
            assert frame.equals(baseline) == unchanged


def _own_recipes(configurations: Collection[str]) -> list[dict[str, object]]:
    """Shipped recipes of MassSlide as a person would write them into a spec."""
    return [
        {
            "system": recipe.system,
            "values": dict(recipe.values),
            "parameter": recipe.step.parameter,
            "value": recipe.step.value,
            "time": recipe.step.time,
        }
        for recipe in shipped("MassSlide")
        if recipe.step is not None and recipe.configuration in configurations
    ]


def _with_most_causes() -> list[str]:
    causes = defaultdict(set)
    for recipe in shipped("MassSlide"):
        causes[recipe.configuration].add(recipe.label)
    return sorted(causes, key=lambda name: (-len(causes[name]), name))


SMALL = {"suite": "tracebench", "systems": ["MassSlide"], "noise": ["low"], "modes": ["direct"]}


def test_building_again_in_place_gives_the_same_bytes(tmp_path: Path) -> None:
    spec = parse_spec({**SMALL, "modes": ["direct", "programmatic"]}, "spec")
    first = made(spec, tmp_path / "set")
    before = digest_tree(first.path)
    again = made(spec, tmp_path / "set")
    assert (again.digest, digest_tree(again.path)) == (first.digest, before)


def test_known_secrets_give_the_same_bytes_in_another_folder(tmp_path: Path) -> None:
    spec = parse_spec(SMALL, "spec")
    first = made(spec, tmp_path / "one")
    drawn = secrets_of(HeldSet.open(first.path))
    second = build(spec, tmp_path / "two", SerialExecutor(), fixed=drawn)
    assert digest_tree(first.path) == digest_tree(second.path)


def test_a_secret_set_draws_its_own_seed_and_salt_and_keeps_them_in_one_file(
    tmp_path: Path,
) -> None:
    spec = parse_spec(SMALL, "spec")
    one, two = (made(spec, tmp_path / name) for name in ("one", "two"))
    assert one.digest != two.digest
    assert one.marks["public"] is False
    drawn = secrets_of(HeldSet.open(one.path))
    assert drawn.seed not in repr(drawn)
    found = [
        path.relative_to(one.path).as_posix()
        for path in one.path.rglob("*")
        if path.is_file()
        and (drawn.seed.encode() in path.read_bytes() or drawn.salt.encode() in path.read_bytes())
    ]
    assert found == ["held/shared/build.toml"]


def test_noise_free_samples_are_the_simulated_series(tmp_path: Path) -> None:
    spec = parse_spec({**SMALL, "noise": ["none"]}, "spec")
    task_set = made(spec, tmp_path / "set")
    (task,) = task_set.tasks
    answers = read_gold(HeldSet.open(task_set.path).gold(task.id))
    for name, recipe in answers.recipes.items():
        frame = pd.read_parquet(task.files / "test_samples" / name)
        pd.testing.assert_frame_equal(frame, simulate([recipe], DYNAMICS).frame(0))


def test_several_seeds_share_neither_recipes_nor_names(tmp_path: Path) -> None:
    spec = parse_spec({**SMALL, "seeds": [0, 1, 2]}, "spec")
    names = [
        name for task in made(spec, tmp_path / "set").tasks for name in task.submission.samples
    ]
    assert len(names) == len(set(names)) == 30


def test_own_recipes_make_a_set_and_stay_out_of_its_public_half(tmp_path: Path) -> None:
    shipped_set = made(parse_spec(SMALL, "spec"), tmp_path / "one")
    table = pd.read_parquet(HeldSet.open(shipped_set.path).shared("samples.parquet"))
    listed = _own_recipes(set(table["configuration"]))
    spec = parse_spec({**SMALL, "recipes": listed}, "spec")
    task_set = made(spec, tmp_path / "two")
    public = read_toml(task_set.path / "taskset.toml")
    assert public["spec"]["recipes"] == f"{len(listed)} own recipes"
    held = json.loads(HeldSet.open(task_set.path).shared("spec.json").read_bytes())
    assert parse_spec(held["spec"], "held") == spec


def test_an_own_recipe_whose_change_nobody_can_see_is_refused(tmp_path: Path) -> None:
    late = {**_own_recipes([shipped("MassSlide")[0].configuration])[-1], "time": 9.97}
    spec = parse_spec({**SMALL, "noise": [500], "recipes": [late]}, "spec")
    with pytest.raises(SpecError, match=r"1 of 1 own .* noise 500: 'massslide-.*ratio 0\."):
        made(spec, tmp_path / "set")


def test_a_pool_without_rest_is_refused_when_rules_need_it(tmp_path: Path) -> None:
    listed = _own_recipes(_with_most_causes()[:10])
    spec = parse_spec({**SMALL, "modes": ["programmatic"], "recipes": listed}, "spec")
    with pytest.raises(SpecError, match=r"for held-out samples;.* 0 of 0 configurations left"):
        made(spec, tmp_path / "set")
    without = made(replace(spec, heldout=0), tmp_path / "set")
    gold = HeldSet.open(without.path).gold(without.tasks[0].id)
    assert read_gold(gold).heldout is None
