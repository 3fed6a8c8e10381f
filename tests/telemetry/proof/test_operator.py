"""The operator on fixed messages: the same turns twice and in two processes, of every row."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from benchwright.canonical import digest, plain
from benchwright.suites.telemetry.dialogue.model import SLOTS, Script
from benchwright.suites.telemetry.dialogue.operator import ScriptedOperator
from benchwright.suites.telemetry.episode import conversation
from benchwright.suites.telemetry.obligations.model import TYPES, Duties
from benchwright.tasks.session import AgentMessage, Turn
from benchwright.tasks.taskset import HeldSet, TaskSet
from tests.telemetry.sets import Built

EMPTY = AgentMessage(reply={})
SAID = AgentMessage(reply={"action": "answer", "reason": "complete"})


def messages(script: Script) -> Iterator[AgentMessage | None]:
    """Open, reply too early, ask everything twice; every turn empty, asked, said; then go on."""
    yield None
    yield EMPTY
    yield SAID
    for slot in (*SLOTS, "colour", *SLOTS):
        yield AgentMessage(slot=slot)
    for _ in script.phases:
        yield EMPTY
        yield AgentMessage(slot="site")
        yield SAID
    yield from (SAID, EMPTY, AgentMessage(slot="time"), SAID)


def turns(script: Script) -> list[Turn]:
    operator = ScriptedOperator(script)
    return [operator.step(message) for message in messages(script)]


def every(folder: Path) -> tuple[int, str]:
    """How many transitions a set has, and their digest."""
    held = HeldSet.open(folder)
    found = []
    for name in sorted(TaskSet.open(folder).task_digests):
        script, _, _ = conversation(held.gold(name))
        found.append([plain(asdict(turn)) for turn in turns(script)])
    return sum(map(len, found)), digest(found)


def test_the_same_twice_and_in_another_process(demo_set: Built) -> None:
    first, second = every(demo_set.path), every(demo_set.path)
    command = [sys.executable, "-m", "tests.telemetry.proof.test_operator", str(demo_set.path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    count, found = done.stdout.split()
    print(f"{count} transitions of {len(demo_set.golds)} rows")
    assert first == second == (int(count), found)
    assert first[0] > 20 * len(demo_set.golds)


def test_every_turn_is_reached_in_order(demo_set: Built) -> None:
    for script, _ in conversations(demo_set):
        said = [turn.text for turn in turns(script)]
        places = [said.index(phase.text) for phase in script.phases]
        assert places == sorted(places)
        assert said[-4:] == [script.closing] * 4
        assert turns(script)[-1].end


def test_a_slot_is_revealed_once_and_only_when_asked(demo_set: Built) -> None:
    for script, _ in conversations(demo_set):
        revealed = [slot for turn in turns(script) for slot in turn.reveals]
        assert revealed == ([script.withheld.slot] if script.withheld else [])


def test_nothing_of_the_contract_is_ever_said(demo_set: Built) -> None:
    """No id of an obligation, no type, no handle, no reason code, no binding, no field's name."""
    for script, duties in conversations(demo_set):
        text = "\n".join(turn.text for turn in turns(script))
        hidden = {*_internal(script, duties), *(name for name in TYPES if "_" in name)}
        assert [word for word in hidden if word in text] == []


def _internal(script: Script, duties: Duties) -> Iterator[str]:
    for obligation in duties.obligations:
        yield obligation.id
    for needed in duties.needed:
        yield from needed.handles
    yield duties.digest
    for phase in script.phases:
        words = (phase.kind, phase.gold.reason, *phase.gold.fields)
        yield from (word for word in words if "_" in word)
        yield from phase.origins.values()


def conversations(built: Built) -> Iterator[tuple[Script, Duties]]:
    for name in built.golds:
        script, duties, _ = conversation(built.held.gold(name))
        yield script, duties


if __name__ == "__main__":
    print(*every(Path(sys.argv[1])))
