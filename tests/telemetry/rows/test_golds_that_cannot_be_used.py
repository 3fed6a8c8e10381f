"""A gold that no conversation can be had or judged by is refused by name, before anything runs."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.canonical import canonical_json, digest
from benchwright.errors import TaskSetError
from benchwright.suites.telemetry.episode import readable
from benchwright.tasks.model import Gold
from tests.telemetry.sets import Built

Edit = Callable[[dict[str, Any]], Any]


def put(*path: Any) -> Edit:
    """Put a value, the last of these, in a place."""

    def edit(gold: dict[str, Any]) -> None:
        found: Any = gold
        for step in path[:-2]:
            found = found[step]
        found[path[-2]] = path[-1]

    return edit


def handles_of(place: int) -> Edit:
    def edit(gold: dict[str, Any]) -> None:
        for one in gold["duties"]["obligations"]:
            if "handle_of" in one["expects"]:
                one["expects"]["handle_of"] = place

    return edit


EDITS: dict[str, tuple[str, Edit]] = {
    "required": ("script: phases[0].required[0]", put("script", "phases", 0, "required", ["x"])),
    "no turns": ("script.phases there are none", put("script", "phases", [])),
    "no calls": ("duties.needed are not the calls of the script", put("duties", "needed", [])),
    "no duties": ("duties.obligations there are none", put("duties", "obligations", [])),
    "a call that is not there": ("expects what cannot be judged", handles_of(99)),
    "a type": ("is of no type that there is", put("duties", "obligations", 0, "type", "nonsense")),
    "a turn": ("has an id that is not its own", put("duties", "obligations", 0, "phase", 77)),
    "needs": ("needs what does not come", put("duties", "obligations", 0, "needs", ["9.x"])),
    "turns": ("duties.phases is not the number", put("duties", "phases", 1)),
    "a slot": ("duties.withheld is not what", put("duties", "withheld", "colour")),
    "a zone": ("duties.zone there is no such zone", put("duties", "zone", "Mars/Base")),
    "no script": ("file lacks a key", lambda gold: gold.pop("script")),
    "no duties at all": ("file lacks a key", lambda gold: gold.pop("duties")),
    "no identity": ("identity names no family", lambda gold: gold.pop("identity")),
    "fields": ("cannot be judged", lambda gold: [
        o["expects"].pop("fields", None) for o in gold["duties"]["obligations"]]),
}  # fmt: skip


def kept(gold: dict[str, Any], folder: Path) -> Gold:
    """A gold as it lies on disk, its duties frozen again."""
    if "duties" in gold:
        own = {k: v for k, v in gold["duties"].items() if k != "digest"}
        gold["duties"]["digest"] = digest(own)
    (folder / "gold.json").write_bytes(canonical_json(gold))
    return Gold("edited", digest(gold), folder)


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_gold_is_refused_by_its_place(name: str, demo_set: Built, tmp_path: Path) -> None:
    problem, edit = EDITS[name]
    gold = copy.deepcopy(dict(demo_set.of("window_mean")[0]))
    edit(gold)
    with pytest.raises(TaskSetError) as refused:
        readable(kept(gold, tmp_path))
    line = str(refused.value)
    assert problem in line
    assert "held/edited/gold.json" in line
    assert "\n" not in line


def test_every_gold_that_was_built_can_be_used(demo_set: Built, tmp_path: Path) -> None:
    every = list(demo_set.golds.values())
    for gold in every[:: max(1, len(every) // 60)]:
        readable(kept(json.loads(json.dumps(gold)), tmp_path))
