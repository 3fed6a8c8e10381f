"""A row as a conversation that can be had: made from a candidate, and read back from its gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from benchwright.errors import FormatError, TaskSetError
from benchwright.storage import read_json
from benchwright.storage.records import record
from benchwright.suites.telemetry.contract.model import Contract
from benchwright.suites.telemetry.dialogue.lift import lifted
from benchwright.suites.telemetry.dialogue.model import SLOTS, Script
from benchwright.suites.telemetry.dialogue.operator import ScriptedOperator
from benchwright.suites.telemetry.dialogue.reply import Reply
from benchwright.suites.telemetry.dialogue.stages import Lifting
from benchwright.suites.telemetry.families.select import Chosen
from benchwright.suites.telemetry.obligations.extract import extracted
from benchwright.suites.telemetry.obligations.model import Duties
from benchwright.suites.telemetry.obligations.sound import Flaw, first_flaw
from benchwright.suites.telemetry.operations import operations
from benchwright.suites.telemetry.preflight import Flight, Issue, preflight
from benchwright.suites.telemetry.rows.calls import Bench
from benchwright.suites.telemetry.rows.evidence import reads_of
from benchwright.suites.telemetry.rows.model import ROW_FORMAT, Read, Row
from benchwright.suites.telemetry.rows.row import row_of
from benchwright.suites.telemetry.store.open import Store
from benchwright.suites.telemetry.text.operator import TextOperator
from benchwright.tasks.model import Gold, Task
from benchwright.tasks.session import Session
from benchwright.tasks.taskset import HeldSet, TaskSet

_AGAIN: Final = "Build the set again; golds are never edited in place."


@dataclass(frozen=True, slots=True)
class Made:
    """A row, its conversation and its duties, with whatever speaks against releasing them."""

    row: Row
    script: Script
    duties: Duties
    reads: tuple[Read, ...]
    """Every stretch of readings that canonical calls of the conversation read."""
    issues: tuple[Issue, ...]

    def document(self) -> dict[str, Any]:
        """What gold.json holds."""
        return {
            **self.row.document(),
            "script": self.script.document(),
            "duties": self.duties.document(),
            "reads": [asdict(read) for read in self.reads],
        }


def made(chosen: Chosen, bench: Bench) -> Made:
    """Everything about one candidate."""
    row = row_of(chosen, bench)
    script = lifted(row, chosen, bench)
    store = bench.inventory.store
    duties = extracted(script, store.contract, store.zone)
    flight = Flight(Lifting(row, chosen, bench), script, duties)
    calls = [call for phase in script.phases for call in phase.calls]
    reads = dict.fromkeys(read for call in calls for read in reads_of(call, bench))
    return Made(row, script, duties, tuple(reads), tuple(preflight(flight)))


def instruction_of(script: Script, contract: Contract) -> str:
    """What an agent reads first: its duties, then the first turn."""
    name = "instruction.md" if contract.channel == "reply" else "instruction.text.md"
    path = files("benchwright.suites.telemetry") / "prompts" / name
    limits = contract.limits
    said = {"slots": ", ".join(SLOTS), "turns": str(limits.turns), "calls": str(limits.calls)}
    text = path.read_text(encoding="utf-8")
    for name, value in {**said, "question": script.phases[0].text}.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def conversation(gold: Gold) -> tuple[Script, Duties, Mapping[str, Any]]:
    """Script, duties and row of a gold.

    Raises:
        FormatError: it is no row of this version, or its duties are not those that were frozen.
    """
    file = gold.folder / "gold.json"
    stored = read_json(file, form=ROW_FORMAT)
    script = record(Script, _part(stored, "script", file), f"{file}: script")
    duties = record(Duties, _part(stored, "duties", file), f"{file}: duties")
    if duties.digest != stored["duties"].get("digest"):
        raise FormatError(
            "duties are not those that were frozen",
            value=duties.digest,
            where=file,
            hint=_AGAIN,
        )
    return script, duties, stored


def _part(stored: Mapping[str, Any], name: str, file: Path) -> Any:
    if name not in stored:
        raise FormatError("file lacks a key", value=name, where=file, hint=_AGAIN)
    return stored[name]


def readable(gold: Gold) -> None:
    """Nothing, for a gold by which a conversation can be had and judged.

    Raises:
        TaskSetError: it cannot be used; the line names the place in it.
    """
    where = f"held/{gold.task_id}/gold.json"
    try:
        script, duties, stored = conversation(gold)
    except FormatError as error:
        raise TaskSetError(
            f"gold cannot be used: {error.problem}",
            value=error.value,
            where=str(error.where).replace(str(gold.folder / "gold.json"), where),
            hint=_AGAIN,
        ) from error
    identity = stored.get("identity")
    if not isinstance(identity, dict) or not {"family", "variant"} <= identity.keys():
        flaw: Flaw | None = ("identity", "names no family and variant", identity)
    else:
        flaw = first_flaw(script, duties)
    if flaw is not None:
        place, problem, value = flaw
        raise TaskSetError(
            f"gold cannot be used: {place} {problem}", value=value, where=where, hint=_AGAIN
        )


def session(tasks: TaskSet, held: HeldSet, task: Task) -> Session:
    """What one episode of a task offers."""
    script, _, _ = conversation(held.gold(task.id))
    store = opened(tasks.path / "store")
    limits, words = store.contract.limits, store.contract.channel == "text"
    return Session(
        operations=operations(store),
        operator=TextOperator(script) if words else ScriptedOperator(script),
        slots=SLOTS,
        reply=Reply,
        turns=limits.turns,
        calls=limits.calls,
        text=words,
        only_text=words,
    )


@cache
def opened(folder: Path) -> Store:
    """The store of a set, opened once per process."""
    return Store(folder)
