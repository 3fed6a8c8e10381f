"""Faults planted into a sound task set: `check` refuses it and names the fault."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from benchwright.checks.model import Problem
from benchwright.cli.check import check_set
from benchwright.errors import TaskSetError
from benchwright.executors import SerialExecutor
from benchwright.suites.tracebench.build import build
from benchwright.suites.tracebench.spec import parse_spec
from tests.quality.planting import (
    Plant,
    change_gold,
    change_toml,
    golds_of,
    planted,
    rewrite_samples,
    samples_of,
    tasks_of,
    write_with_metadata,
)


def canary_of(copy: Path) -> str:
    text = str(json.loads((golds_of(copy)[0] / "gold.json").read_text())["canary"])
    assert len(text) > 16
    return text


def append(file: Path, text: str) -> None:
    with file.open("a") as handle:
        handle.write(f"\n{text}\n")


def swaps_two_labels(copy: Path) -> None:
    def swap(truth: dict[str, str]) -> None:
        first = next(iter(truth))
        other = next(name for name in truth if truth[name] != truth[first])
        truth[first], truth[other] = truth[other], truth[first]

    rewrite_samples(golds_of(copy)[0], swap)


def swaps_two_recipes(copy: Path) -> None:
    """Truth and recipe agree with each other, but not with the series that agents get."""

    def swap(content: dict[str, dict[str, object]]) -> None:
        truth, recipes = content["truth"], content["recipes"]
        first = next(iter(truth))
        other = next(name for name in truth if truth[name] != truth[first])
        for table in (truth, recipes):
            table[first], table[other] = table[other], table[first]

    change_gold(golds_of(copy)[0], swap)


def gives_every_sample_one_label(copy: Path) -> None:
    labels = tasks_of(copy)[0] / "task.toml"

    def same(truth: dict[str, str]) -> None:
        change_toml(labels, lambda data: truth.update(dict.fromkeys(truth, first_label(data))))

    rewrite_samples(golds_of(copy)[0], same)


def first_label(data: dict[str, dict[str, list[str]]]) -> str:
    return data["submission"]["labels"][0]


def invents_a_label(copy: Path) -> None:
    rewrite_samples(golds_of(copy)[0], lambda t: t.update({next(iter(t)): "cosmic rays"}))


def forgets_a_truth(copy: Path) -> None:
    rewrite_samples(golds_of(copy)[0], lambda truth: truth.pop(next(iter(truth))) and None)


def puts_the_canary_into_the_instruction(copy: Path) -> None:
    append(tasks_of(copy)[0] / "instruction.md", canary_of(copy))


def puts_the_canary_beside_the_samples(copy: Path) -> None:
    (tasks_of(copy)[0] / "files" / "notes.txt").write_text(canary_of(copy))


def puts_the_gold_beside_the_samples(copy: Path) -> None:
    target = tasks_of(copy)[0] / "files" / ".gold.json"
    shutil.copy(golds_of(copy)[0] / "gold.json", target)


def links_to_the_gold(copy: Path) -> None:
    gold = golds_of(copy)[0] / "gold.json"
    (tasks_of(copy)[0] / "files" / "link.json").symlink_to(gold.resolve())


def names_the_digest_of_the_gold(copy: Path) -> None:
    digests = (copy / "held" / "shared" / "digests.toml").read_text()
    value = next(line for line in digests.splitlines() if line.startswith("balldrop"))
    (tasks_of(copy)[0] / "files" / "notes.txt").write_text(value.split('"')[1])


def names_the_label_in_the_instruction(copy: Path) -> None:
    truth = json.loads((golds_of(copy)[0] / "gold.json").read_text())["truth"]
    name, label = next(iter(truth.items()))
    append(tasks_of(copy)[0] / "instruction.md", f"The answer for {name} is {label}.")


def writes_the_label_into_the_metadata(copy: Path) -> None:
    truth = json.loads((golds_of(copy)[0] / "gold.json").read_text())["truth"]
    for sample in samples_of(tasks_of(copy)[0]):
        write_with_metadata(sample, {"label": truth[sample.name]})


def loses_a_sample(copy: Path) -> None:
    samples_of(tasks_of(copy)[0])[0].unlink()


def replaces_a_sample_by_another(copy: Path) -> None:
    first, second = samples_of(tasks_of(copy)[0])[:2]
    shutil.copy(first, second)


def edits_an_instruction(copy: Path) -> None:
    append(tasks_of(copy)[0] / "instruction.md", "Hurry up.")


def adds_a_file(copy: Path) -> None:
    (tasks_of(copy)[0] / "files" / "extra.txt").write_text("x")


def drops_the_canary(copy: Path) -> None:
    change_gold(golds_of(copy)[0], lambda content: content.pop("canary") and None)


def loses_a_gold(copy: Path) -> None:
    shutil.rmtree(golds_of(copy)[0])


def edits_the_list_of_tasks(copy: Path) -> None:
    change_toml(copy / "taskset.toml", lambda data: data["marks"].update(dynamics="released"))


def edits_the_seed(copy: Path) -> None:
    change_toml(copy / "held" / "shared" / "build.toml", lambda data: data.update(seed="other"))


HIDDEN: tuple[tuple[Plant, str], ...] = (
    (swaps_two_labels, "rebuild"),
    (swaps_two_recipes, "rebuild"),
    (gives_every_sample_one_label, "rebuild"),
    (invents_a_label, "structure,rebuild"),
    (forgets_a_truth, "structure,rebuild"),
    (puts_the_canary_into_the_instruction, "structure"),
    (puts_the_canary_beside_the_samples, "structure"),
    (puts_the_gold_beside_the_samples, "structure"),
    (links_to_the_gold, "structure,rebuild"),
    (names_the_digest_of_the_gold, "structure,rebuild"),
    (names_the_label_in_the_instruction, "structure,rebuild"),
    (writes_the_label_into_the_metadata, "structure,rebuild"),
    (loses_a_sample, "structure"),
    (replaces_a_sample_by_another, "structure,rebuild"),
    (edits_an_instruction, "rebuild"),
    (adds_a_file, "structure,rebuild"),
    (drops_the_canary, "structure"),
    (edits_the_seed, "rebuild"),
)
"""Faults behind right digests, with the checks of which one must see them."""

OPEN: tuple[Plant, ...] = (
    swaps_two_labels,
    edits_an_instruction,
    adds_a_file,
    loses_a_sample,
    loses_a_gold,
    edits_the_list_of_tasks,
    replaces_a_sample_by_another,
)
"""Faults whose digests were left as they were: opening or structure sees them."""


def problems(copy: Path, only: str, sandbox: str = "bwrap") -> list[Problem]:
    return check_set(copy, only, sandbox).problems


def test_the_set_is_sound_before_anything_is_planted(sound: Path) -> None:
    assert problems(sound, "structure,rebuild") == []


def test_right_digests_alone_change_nothing(sound: Path, tmp_path: Path) -> None:
    copy = planted(sound, tmp_path / "set", lambda copy: None, right=True)
    assert problems(copy, "structure,rebuild") == []


@pytest.mark.parametrize(("plant", "only"), HIDDEN, ids=[plant.__name__ for plant, _ in HIDDEN])
def test_a_fault_behind_right_digests_is_named(
    sound: Path, tmp_path: Path, plant: Plant, only: str
) -> None:
    copy = planted(sound, tmp_path / "set", plant, right=True)
    found = problems(copy, only)
    assert found
    assert all(problem.where and problem.problem and problem.hint for problem in found)
    named = " ".join(f"{problem.where} {problem.problem}" for problem in found)
    assert any(task.name in named for task in tasks_of(copy)), f"no task is named: {named}"
    assert {problem.check for problem in found} <= set(only.split(","))


@pytest.mark.parametrize("plant", OPEN, ids=[plant.__name__ for plant in OPEN])
def test_a_fault_behind_wrong_digests_is_named(sound: Path, tmp_path: Path, plant: Plant) -> None:
    copy = planted(sound, tmp_path / "set", plant, right=False)
    try:
        found = problems(copy, "structure")
    except TaskSetError as error:
        assert error.value and error.where and error.hint
    else:
        assert found
        assert any("balldrop" in p.where or "taskset" in p.where for p in found), found


def test_labels_that_a_constant_guess_meets_are_unsound(sound: Path, tmp_path: Path) -> None:
    copy = planted(sound, tmp_path / "set", gives_every_sample_one_label, right=True)
    found = problems(copy, "soundness")
    assert any("constant" in problem.problem + problem.where for problem in found), found


def test_a_label_that_nobody_can_answer_is_unsound(sound: Path, tmp_path: Path) -> None:
    copy = planted(sound, tmp_path / "set", invents_a_label, right=True)
    found = problems(copy, "soundness")
    assert any("oracle" in problem.problem + problem.where for problem in found), found


def names_a_digest_late_in_the_last_task(copy: Path) -> None:
    digests = (copy / "held" / "shared" / "digests.toml").read_text()
    value = next(line for line in digests.splitlines() if line.startswith("balldrop"))
    across = "g" * (2**22 - 30) + value.split('"')[1] + "0"
    (tasks_of(copy)[-1] / "files" / "notes.txt").write_text(across)


def tells_the_canary_in_the_last_prompt(copy: Path) -> None:
    append(tasks_of(copy)[-1] / "instruction.md", canary_of(copy))


@pytest.mark.parametrize(
    ("plant", "file", "what"),
    [
        (names_a_digest_late_in_the_last_task, "files/notes.txt", "digest of gold balldrop"),
        (tells_the_canary_in_the_last_prompt, "instruction.md", "canary"),
    ],
)
def test_a_leak_in_any_task_is_found_without_a_sandbox(
    tmp_path: Path, plant: Plant, file: str, what: str
) -> None:
    told = {"suite": "tracebench", "systems": ["BallDrop"], "noise": ["low"], "modes": ["direct"]}
    spec = parse_spec({**told, "seeds": [0, 1], "secret": False}, "test")
    two = build(spec, tmp_path / "two", SerialExecutor()).path
    assert not problems(two, "leaks", "none")
    copy = planted(two, tmp_path / "set", plant, right=True)
    (found,) = problems(copy, "leaks", "none")
    assert len(tasks_of(copy)) == 2
    assert found.where == f"tasks/{tasks_of(copy)[-1].name}/{file}"
    assert found.problem.startswith(what)


@pytest.mark.slow
@pytest.mark.parametrize(
    "plant",
    [
        puts_the_canary_beside_the_samples,
        puts_the_gold_beside_the_samples,
        names_the_digest_of_the_gold,
    ],
)
def test_a_leak_is_found_from_inside_the_sandbox(sound: Path, tmp_path: Path, plant: Plant) -> None:
    copy = planted(sound, tmp_path / "set", plant, right=True)
    found = problems(copy, "leaks")
    assert any(problem.check == "leaks" for problem in found)
