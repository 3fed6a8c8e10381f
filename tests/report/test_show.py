"""`show`: one table, one story, one JSON document; agents cannot write to the terminal."""

from __future__ import annotations

import json
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.cli.show import show
from benchwright.errors import RunError, TaskSetError
from benchwright.report.terminal import tame
from benchwright.tasks.taskset import TaskSet
from tests.report.conftest import make_run


def test_the_table_of_a_run_shows_every_agent_and_what_is_missing(run, capsys):
    assert show(run.path, None, False) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in ("oracle*", "blind!", "talker scripted/model", "unlucky"))
    assert "1 sandbox" in text and "1 not run" in text
    assert "1.00  0.69–1.00" in text
    assert "\x1b" not in text


def test_a_run_as_json_is_one_document_with_every_episode(run, capsys):
    show(run.path, None, True)
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "benchwright.show/1"
    assert [e["episode"] for e in document["episodes"]] == [p.id for p in run.plan]
    ends = {(e["agent"]["name"], e["owner"]) for e in document["episodes"]}
    assert ("unlucky", "sandbox") in ends and ("unlucky", None) in ends


def planned(run, tasks, agent, mode):
    return next(
        p.id
        for p in run.plan
        if p.agent.name == agent and tasks.task(p.task_id).submission.mode == mode
    )


def test_a_story_tells_what_was_asked_done_and_scored(run, tasks, capsys):
    show(run.path, planned(run, tasks, "blind", "direct"), False)
    text = capsys.readouterr().out
    parts = ["What it was asked", "What it did: 1 step", "Why it scored so", "is not among"]
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)
    assert "top-1 0.20" in text


def test_a_rule_s_story_counts_its_held_out_samples(run, tasks, capsys):
    show(run.path, planned(run, tasks, "oracle", "programmatic"), False)
    assert "Held-out samples: " in capsys.readouterr().out


def test_a_story_of_a_lost_sandbox_blames_it(run, tasks, capsys):
    show(run.path, planned(run, tasks, "unlucky", "direct"), False)
    text = capsys.readouterr().out
    assert "init died at call 1. The sandbox is at fault, not the agent." in text
    assert "top-1 no score" in text


def test_an_owed_episode_says_that_it_was_not_run(run, tasks, capsys):
    show(run.path, planned(run, tasks, "unlucky", "programmatic"), False)
    assert "this episode is owed" in capsys.readouterr().out


def test_an_invalid_answer_says_why_and_that_every_sample_counts_as_wrong(run, tasks, capsys):
    show(run.path, planned(run, tasks, "talker", "direct"), False)
    text = capsys.readouterr().out
    assert "because" in text and "key names no sample" in text
    assert "so every sample counts as wrong" in text


def test_what_was_asked_is_cut_short_but_names_file_and_labels(run, tasks, capsys):
    show(run.path, planned(run, tasks, "blind", "direct"), False)
    text = capsys.readouterr().out
    asked = text[text.index("What it was asked") : text.index("What it did")]
    assert len(asked.splitlines()) < 10 and "more lines; the exact text is instruction.md" in asked
    assert "Answer: results.json for 10 samples" in " ".join(asked.split())
    assert not [line for line in text.splitlines() if line != line.rstrip()]


def test_steps_that_repeat_are_told_once(run, tasks, capsys):
    found = next(p for p in run.plan if p.agent.name == "blind")
    file = run.folder(found.id) / "trajectory.json"
    whole = file.read_text()
    data = json.loads(whole)
    again = [{**data["steps"][1], "step_id": number} for number in range(3, 60)]
    try:
        file.write_text(json.dumps({**data, "steps": data["steps"] + again}))
        show(run.path, found.id, False)
    finally:
        file.write_text(whole)
    text = capsys.readouterr().out
    assert "What it did: 58 steps of the agent" in text
    assert "the same again up to step 59" in text and text.count("2 agent") == 1


def test_a_moved_set_can_be_named(tasks, tmp_path, capsys):
    moved = shutil.copytree(tasks.path, tmp_path / "old")
    run = make_run(TaskSet.open(moved), tmp_path / "run")
    moved = moved.rename(tmp_path / "new")
    with pytest.raises(TaskSetError, match="not here"):
        show(run.path, None, False)
    assert show(run.path, None, False, moved) == 0
    assert "oracle" in capsys.readouterr().out


def test_the_beginning_of_an_id_is_enough_if_it_is_one(run, capsys):
    whole = run.plan[0].id
    show(run.path, whole[:-6], True)
    assert json.loads(capsys.readouterr().out)["episode"] == whole


@pytest.mark.parametrize(("start", "problem"), [("massslide", "several"), ("nothing", "no such")])
def test_an_id_that_is_none_or_several_is_refused_with_an_example(run, start, problem):
    with pytest.raises(RunError, match=problem) as caught:
        show(run.path, start, False)
    assert run.plan[0].id.split("-")[0] in caught.value.hint
    assert ("Write more" in caught.value.hint) == (problem == "several")


def test_a_folder_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(RunError, match="not a run"):
        show(tmp_path, None, False)


@given(st.text())
def test_no_control_character_reaches_the_terminal(text):
    shown = tame(text)
    assert not [c for c in shown if (ord(c) < 32 and c not in "\n\t") or 0x7F <= ord(c) < 0xA0]
    assert len(shown) == len(text)


def test_an_escape_sequence_and_a_reversed_name_are_made_visible():
    assert tame("\x1b]0;owned\x07") == "␛]0;owned␇"
    assert "\u202e" not in tame("gnp\u202egpj")
