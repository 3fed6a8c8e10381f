"""Instructions: what they must say, in which order, and what they must not say (facts 7.2)."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from itertools import product

import pytest

from benchwright.isolation.rule_model import RuleLimits
from benchwright.suites.tracebench.labels import displayed, shown
from benchwright.suites.tracebench.prompt import columns_text, instruction
from benchwright.suites.tracebench.systems import SYSTEMS
from benchwright.tasks.model import Mode

MODES: tuple[Mode, ...] = ("direct", "programmatic")
"""Of this suite; a dialogue belongs to another."""


@pytest.fixture(params=SYSTEMS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> Mode:
    mode: Mode = request.param
    return mode


@pytest.fixture(params=["full", "none"])
def context(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[0, 1, 3])
def shots(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def test_labels_stand_as_one_json_list_in_their_order(name: str, mode: Mode) -> None:
    assert json.dumps(list(SYSTEMS[name].labels)) in instruction(SYSTEMS[name], mode)


def test_every_column_is_named_and_time_is_the_last(name: str, mode: Mode) -> None:
    text = columns_text(SYSTEMS[name])
    assert text.splitlines()[-1] == "col4: time"
    assert [line[:6] for line in text.splitlines()] == ["col1: ", "col2: ", "col3: ", "col4: "]
    assert f"\n{text}\n\n" in instruction(SYSTEMS[name], mode)


def test_columns_of_balldrop_are_the_published_ones() -> None:
    assert columns_text(SYSTEMS["BallDrop"]).splitlines() == [
        "col1: ball height",
        "col2: ball velocity",
        "col3: contact impulse (N*s)",
        "col4: time",
    ]


def test_no_slot_is_left_open_and_no_line_ends_in_space(
    name: str, mode: Mode, context: str, shots: int
) -> None:
    text = instruction(SYSTEMS[name], mode, context, shots)
    assert "$" not in text
    assert all(line == line.rstrip() for line in text.splitlines())
    assert text.endswith("\n") and not text.endswith("\n\n")


def test_length_is_that_of_the_published_prompts(
    name: str, mode: Mode, context: str, shots: int
) -> None:
    assert 2100 <= len(instruction(SYSTEMS[name], mode, context, shots)) <= 3550


MARKS = {
    "sample_source": r"Every series in the folders? .* comes from",
    "environment_description": r"A ball, taken|A point mass travels|A block of mass m",
    "observed_columns": r"Columns of each|Each series has the columns",
    "intervention_semantics": r"In a simulation either",
    "label_space": r"The labels to choose from",
    "no_change_guidance": r"give no evidence",
    "task_artifact": r"Your task: write",
    "prediction_format": r"\(top-1\)",
    "fewshot_context": r"Labelled examples: train_samples/",
    "requirements": r"must meet:",
    "evaluation": r"How it is scored",
    "runtime_constraints": r"Working conditions",
}
"""How every field of facts 7.2 is told apart, in their order."""


def test_every_condition_has_its_fields_once_in_the_published_order(
    name: str, mode: Mode, context: str, shots: int
) -> None:
    text = instruction(SYSTEMS[name], mode, context, shots)
    missing = {"environment_description", "no_change_guidance"} if context == "none" else set()
    missing |= set() if shots else {"fewshot_context"}
    found = {field: [m.start() for m in re.finditer(mark, text)] for field, mark in MARKS.items()}
    assert {field for field, places in found.items() if not places} == missing
    places = [place for places in found.values() for place in places]
    assert places == sorted(places) and len(places) == len(MARKS) - len(missing)


def test_separators_are_the_published_ones(name: str, mode: Mode, context: str, shots: int) -> None:
    text = instruction(SYSTEMS[name], mode, context, shots)
    paragraphs = text.rstrip("\n").split("\n\n")
    first = paragraphs[0]
    assert "\n" not in first
    assert first.startswith("Context: ") == (mode == "programmatic" or context == "none")
    assert bool(re.search(MARKS["environment_description"], first)) == (context == "full")
    (task,) = [part for part in paragraphs if part.startswith("Your task")]
    assert re.search(MARKS["prediction_format"], task.splitlines()[1])
    fields = 12 - (2 if context == "none" else 0) - (0 if shots else 1)
    assert len(paragraphs) == fields - (2 if context == "full" else 1)


def test_without_context_nothing_but_the_number_of_labels_tells_systems_apart(
    mode: Mode, shots: int
) -> None:
    told = {name: instruction(s, mode, "none", shots) for name, s in SYSTEMS.items()}
    assert told["BallDrop"] == told["MassSlide"] != told["BounceBall"]
    assert (
        told["BounceBall"]
        .replace("label_5", "label_4")
        .replace('"label_4", "label_4"', '"label_4"')
        .replace("label_0 to label_4", "label_0 to label_3")
        == told["BallDrop"]
    )
    for system in SYSTEMS.values():
        words = {*system.labels, *(c.label for c in system.channels)} - {"friction force"}
        assert not [word for word in words if word in told[system.name]]


def test_without_context_labels_are_numbered_in_sorted_order_and_no_change_is_last(
    name: str,
) -> None:
    system = SYSTEMS[name]
    names = shown(system, "none")
    last = len(system.labels) - 1
    assert names["no parameter change"] == f"label_{last}"
    in_order = [label for label, _ in sorted(names.items(), key=lambda item: item[1])]
    assert in_order[:-1] == sorted(system.labels[:-1])
    assert displayed(system, "none") == tuple(f"label_{n}" for n in range(last + 1))
    assert json.dumps(list(displayed(system, "none"))) in instruction(system, "direct", "none")


def test_with_context_labels_are_the_words_in_the_order_of_the_system(name: str) -> None:
    system = SYSTEMS[name]
    assert displayed(system, "full") == system.labels == tuple(shown(system, "full").values())


def test_folders_are_named_when_they_are_there(name: str, mode: Mode, context: str) -> None:
    without = instruction(SYSTEMS[name], mode, context, 0)
    assert "train" not in without and "the folder test_samples/ comes" in without
    one, three = (instruction(SYSTEMS[name], mode, context, n) for n in (1, 3))
    for text in (one, three):
        assert "the folders train_samples/ and test_samples/ comes" in text
        assert "train_labels.json" in text
    assert "holds one series per label" in one and "holds 3 series per label" in three
    assert one.replace("one series per", "3 series per") == three


def test_task_and_answer_format_are_one_paragraph(name: str, mode: Mode) -> None:
    paragraphs = instruction(SYSTEMS[name], mode).split("\n\n")
    (task,) = [text for text in paragraphs if text.startswith("Your task")]
    assert len(task.splitlines()) >= 2


def test_each_mode_asks_for_its_own_file_only(name: str) -> None:
    direct = instruction(SYSTEMS[name], "direct")
    programmatic = instruction(SYSTEMS[name], "programmatic")
    assert "results.json" in direct and "rule.py" not in direct
    assert "rule.py" in programmatic and "results.json" not in programmatic
    assert "predict(df) -> list[str]" in programmatic


def test_a_rule_is_told_every_limit_of_time(name: str, context: str) -> None:
    text = instruction(SYSTEMS[name], "programmatic", context)
    limits = RuleLimits()
    assert f"There are {limits.import_s} seconds to run `rule.py`" in text
    minutes = f"{limits.total_s / 60:g}"
    assert f"{limits.sample_s} for a call and {minutes} minutes for all series" in text


def test_a_rule_is_told_that_its_file_is_run_for_every_series(name: str) -> None:
    assert "For every series `rule.py` is run anew" in instruction(SYSTEMS[name], "programmatic")


def test_the_force_on_the_block_is_periodic_and_no_more_is_said() -> None:
    text = instruction(SYSTEMS["MassSlide"], "direct").lower()
    assert "a periodic force along the plane" in text
    assert not any(word in text for word in ("pulse", "rectang", "duty", "square wave", "period "))


def test_the_threshold_of_a_rebound_is_stated() -> None:
    assert "0.5 m/s" in instruction(SYSTEMS["BallDrop"], "direct")


def test_the_walls_are_named_and_their_places_are_not_given() -> None:
    text = instruction(SYSTEMS["BounceBall"], "direct")
    assert "x_L" in text and "x_R" in text and "15" not in text


def test_every_prompt_file_is_used() -> None:
    conditions = product(SYSTEMS.values(), MODES, ("full", "none"), (0, 3))
    whole = "".join(instruction(*condition) for condition in conditions)
    for file in (files("benchwright.suites.tracebench") / "prompts").iterdir():
        longest = max(re.split(r"\$\w+|\$\{\w+\}", file.read_text()), key=len).strip()
        assert longest and longest in whole, file.name
