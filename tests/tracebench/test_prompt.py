"""Instructions: what they must say, in which order, and what they must not say (facts 7.2)."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import get_args

import pytest

from benchwright.isolation.rule_model import RuleLimits
from benchwright.suites.tracebench.prompt import columns_text, instruction
from benchwright.suites.tracebench.systems import SYSTEMS
from benchwright.tasks.model import Mode

MODES: tuple[Mode, ...] = get_args(Mode)


@pytest.fixture(params=SYSTEMS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> Mode:
    mode: Mode = request.param
    return mode


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


def test_no_slot_is_left_open_and_no_line_ends_in_space(name: str, mode: Mode) -> None:
    text = instruction(SYSTEMS[name], mode)
    assert "$" not in text
    assert all(line == line.rstrip() for line in text.splitlines())
    assert text.endswith("\n") and not text.endswith("\n\n")


def test_length_is_that_of_the_published_prompts(name: str, mode: Mode) -> None:
    assert 2100 <= len(instruction(SYSTEMS[name], mode)) <= 3550


def test_fields_stand_in_the_published_order(name: str, mode: Mode) -> None:
    marks = ["test_samples/ comes", "Columns of", "In a simulation either", "The labels to choose"]
    marks += ["no evidence", "Your task", "(top-1)", "must meet", "How it is scored", "internet"]
    places = [instruction(SYSTEMS[name], mode).index(mark) for mark in marks]
    assert places == sorted(places)


def test_description_follows_its_source_on_the_same_line(name: str, mode: Mode) -> None:
    first = instruction(SYSTEMS[name], mode).split("\n\n")[0]
    assert "\n" not in first
    assert first.startswith("Context: ") == (mode == "programmatic")


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


def test_a_rule_is_told_how_long_a_call_may_take(name: str) -> None:
    text = instruction(SYSTEMS[name], "programmatic")
    assert f"longer than {RuleLimits().sample_s} seconds counts as wrong" in text


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
    whole = "".join(instruction(s, mode) for s in SYSTEMS.values() for mode in MODES)
    for file in (files("benchwright.suites.tracebench") / "prompts").iterdir():
        first = file.read_text().split("$")[0].strip()
        assert first in whole, file.name
