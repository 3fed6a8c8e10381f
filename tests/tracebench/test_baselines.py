"""Reference agents on a real task set, through a workspace and the real scorer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from benchwright.episodes.model import AgentRecord, End, Episode, Usage
from benchwright.errors import SubmissionError, TaskSetError
from benchwright.executors import SerialExecutor
from benchwright.isolation.config import BoxConfig
from benchwright.isolation.folder import FolderBox
from benchwright.isolation.rule_model import Frame
from benchwright.scoring.answers import resolve_labels
from benchwright.scoring.model import ScoreSheet
from benchwright.scoring.submission import write_answers
from benchwright.suites.tracebench import forger
from benchwright.suites.tracebench.baselines import AGENTS, PRIVILEGED, oracle
from benchwright.suites.tracebench.build import build
from benchwright.suites.tracebench.golds import frames, read_gold
from benchwright.suites.tracebench.labels import displayed
from benchwright.suites.tracebench.score import score
from benchwright.suites.tracebench.spec import parse_spec
from benchwright.suites.tracebench.systems import get_system
from benchwright.tasks.model import Task
from benchwright.tasks.taskset import HeldSet, TaskSet

HERE = BoxConfig(agent_python=sys.prefix)
"""Our own agents may use this interpreter: they run unconfined here, as with --sandbox none."""


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> TaskSet:
    keys = {"systems": ["MassSlide"], "noise": ["low"], "seeds": [0, 1], "secret": False}
    spec = parse_spec({"suite": "tracebench", **keys}, "spec")
    return build(spec, tmp_path_factory.mktemp("tasks") / "set", SerialExecutor())


@pytest.fixture(params=["direct", "programmatic"])
def task(request: pytest.FixtureRequest, tasks: TaskSet) -> Task:
    return next(task for task in tasks.tasks if task.axes["mode"] == request.param)


@pytest.fixture
def played(tasks: TaskSet, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    async def play(task: Task, name: str, trial: int = 0) -> ScoreSheet:
        held = HeldSet.open(tasks.path)
        gold = held.gold(task.id)
        agent = AGENTS[name](task, gold if name in PRIVILEGED else None, trial)
        folder = tmp_path / f"{name}-{trial}"
        async with FolderBox.open(HERE) as box:
            for path in (task.files / "test_samples").iterdir():
                await box.write(f"test_samples/{path.name}", path.read_bytes())
            await agent.act(task, box, None)
            await _collect(task, box, folder)
        _answer(task, held, folder)
        return score(task, gold, closed(task, name, folder))

    yield play


def closed(task: Task, name: str, folder: Path) -> Episode:
    record = AgentRecord(name, None, name in PRIVILEGED, "none", "1")
    end = End("returned")
    usage = Usage(*[None] * 8)
    return Episode(name, task.id, task.digest, record, 0, end, None, usage, folder)


async def _collect(task: Task, box: FolderBox, folder: Path) -> None:
    (folder / "artifacts").mkdir(parents=True)
    try:
        data = await box.read(task.submission.file, limit=10**7)
    except SubmissionError:
        return
    (folder / "artifacts" / task.submission.file).write_bytes(data)


def _answer(task: Task, held: HeldSet, folder: Path) -> None:
    """Executes a rule of ours in this process: its text is trusted, its answers are checked."""
    file = folder / "artifacts" / "rule.py"
    if task.submission.mode == "direct" or not file.exists():
        return
    space: dict[str, Any] = {"__name__": "rule"}
    exec(compile(file.read_text(), "rule.py", "exec"), space)
    answers = {}
    for frame in frames(task, held.gold(task.id), held):
        given = space["predict"](pd.DataFrame(frame.values, columns=list(frame.columns)))
        try:
            labels = resolve_labels(given, task.submission.labels)
            answers[frame.name] = {"labels": list(labels)}
        except SubmissionError as error:
            answers[frame.name] = {"error": str(error)}
    write_answers(folder, {"format": "benchwright.answers/1", "answers": answers})


def values(sheet: ScoreSheet) -> list[float | None]:
    return [score.value for score in sheet.scores]


async def test_the_oracle_is_right_about_every_sample(task: Task, played: Any) -> None:
    sheet = await played(task, "oracle")
    assert set(values(sheet)) == {1.0}
    assert len(sheet.checks) >= 10 and {check.outcome for check in sheet.checks} == {"pass"}


async def test_doing_nothing_scores_zero_and_is_flagged(task: Task, played: Any) -> None:
    sheet = await played(task, "noop")
    assert set(values(sheet)) == {0.0}
    assert {score.status for score in sheet.scores} == {"invalid"}


async def test_a_constant_answer_scores_its_class_share(
    task: Task, played: Any, tasks: TaskSet
) -> None:
    sheet = await played(task, "constant")
    assert sheet.scores[0].value == 0.2
    assert {tuple(check.got or ()) for check in sheet.checks} == {(task.submission.labels[0],)}


async def test_guesses_are_repeated_by_the_same_trial_and_differ_between_trials(
    task: Task, played: Any
) -> None:
    first = await played(task, "random", 1)
    other = await played(task, "random", 2)
    got = [check.got for check in first.checks]
    assert got != [check.got for check in other.checks]
    assert AGENTS["random"](task, None, 1) == AGENTS["random"](task, None, 1)
    assert len({label for labels in got for label in labels or ()}) > 2


async def test_guesses_use_every_label_about_equally(tasks: TaskSet, played: Any) -> None:
    task = next(task for task in tasks.tasks if task.axes["mode"] == "programmatic")
    sheet = await played(task, "random")
    counts = pd.Series([(check.got or [None])[0] for check in sheet.checks]).value_counts()
    share = 1 / len(task.submission.labels)
    spread = (share * (1 - share) / len(sheet.checks)) ** 0.5
    assert len(counts) == len(task.submission.labels)
    assert (abs(counts / len(sheet.checks) - share) < 4 * spread).all()


async def test_jumps_answers_every_sample_with_allowed_labels(task: Task, played: Any) -> None:
    sheet = await played(task, "jumps")
    assert {score.status for score in sheet.scores} == {"scored"}
    assert all(check.got for check in sheet.checks)


def test_only_the_oracle_is_privileged_and_it_refuses_to_guess(task: Task) -> None:
    assert sorted(PRIVILEGED) == ["oracle"]
    with pytest.raises(TaskSetError, match="not given the gold"):
        oracle(task, None, 0)


def test_an_agent_that_holds_answers_does_not_show_them(tasks: TaskSet, task: Task) -> None:
    gold = HeldSet.open(tasks.path).gold(task.id)
    shown = repr(oracle(task, gold, 0))
    assert not any(name in shown for name in read_gold(gold).truth)


def forge(root: Path, guard: Path, seconds: int) -> None:
    """Run the forger's script on a folder of ours; it stops by itself."""
    script = root.parent / "forge.py"
    script.write_text(forger.script_text())
    command = [sys.executable, str(script), str(root), str(guard), str(seconds)]
    subprocess.run(command, check=True, timeout=30, env={"PATH": os.environ["PATH"]})


@pytest.fixture
def places(tmp_path: Path) -> Path:
    for name in ("app/test_samples", "tmp", "home/user"):
        (tmp_path / "root" / name).mkdir(parents=True)
    return tmp_path / "root"


def test_the_forger_fills_every_folder_and_goes_on_after_it_has_returned(places: Path) -> None:
    forge(places, places.parent, 3)
    written = [places / name / "results.json" for name in (".", "app/test_samples", "home/user")]
    assert all(path.is_file() for path in written)
    for path in written:
        path.unlink()
    deadline = time.monotonic() + 3
    while not all(path.is_file() for path in written) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert all(path.is_file() for path in written)
    assert not list(places.rglob("scores/scores"))


def test_the_forger_writes_nothing_where_it_is_not_confined(places: Path) -> None:
    forge(places, places / "no-such-file", 3)
    assert not [path for path in places.rglob("*") if path.is_file()]


def test_forged_files_are_worth_nothing(places: Path, tasks: TaskSet, task: Task) -> None:
    """Everything that the forger left in a working folder is collected, its rule is executed."""
    forge(places, places.parent, 0)
    folder = places.parent / "episode"
    shutil.copytree(places / "app", folder / "artifacts")
    (folder / "artifacts" / "rule.py").write_text(forger.script_text())
    assert (folder / "artifacts" / "answers.json").is_file()
    held = HeldSet.open(tasks.path)
    _answer(task, held, folder)
    sheet = score(task, held.gold(task.id), closed(task, "forger", folder))
    assert set(values(sheet)) == {0.0}
    assert {check.outcome for check in sheet.checks} == {"fail"}


async def test_the_forger_submits_its_script_as_a_rule_and_returns(tasks: TaskSet) -> None:
    task = next(task for task in tasks.tasks if task.axes["mode"] == "programmatic")
    async with FolderBox.open(HERE) as box:
        await forger.Forger().act(task, box, None)
        assert (await box.read("rule.py", limit=10**6)).decode() == forger.script_text()
        assert [file.path for file in await box.list_files()] == ["forge.py", "rule.py"]


def labels_of(rule: str, seen: Iterable[Frame]) -> list[list[str]]:
    """What a rule of ours answers, in this process."""
    space: dict[str, Any] = {"__name__": "rule"}
    exec(rule, space)
    return [space["predict"](pd.DataFrame(f.values, columns=list(f.columns))) for f in seen]


def test_without_context_jumps_is_told_nothing_that_the_prompt_withholds(tasks: TaskSet) -> None:
    task = tasks.tasks[0]
    system = get_system(task.axes["system"])
    axes = {**task.axes, "context": "none"}
    labels = displayed(system, "none")
    hidden = replace(task, axes=axes, submission=replace(task.submission, labels=labels))
    told, untold = (AGENTS["jumps"](t, None, 0).rule for t in (task, hidden))
    secrets = (system.name, *system.labels)
    assert all(word in told for word in secrets)
    assert not any(word in untold for word in secrets)
    held = HeldSet.open(tasks.path)
    seen = list(frames(task, held.gold(task.id), held))
    assert {label for (label,) in labels_of(untold, seen)} == {labels[-1]}
    assert len({label for (label,) in labels_of(told, seen)}) > 2
