from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from benchwright.trajectory.events import Begin, Message
from benchwright.trajectory.log import open_log
from tests.trajectory.readers.reading import of

ZSTANDARD = 93


def written(folder: Path) -> Path:
    """A log as Inspect itself writes it, of a solver that asks no model."""
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageAssistant
    from inspect_ai.solver import solver

    @solver
    def answers() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            state.messages.append(ChatMessageAssistant(content=f"{state.input_text}: 7 degrees"))
            return state

        return solve

    task = Task(dataset=[Sample("outside"), Sample("inside")], solver=answers())
    eval(task, model=None, log_dir=str(folder), log_format="eval", display="none")
    (file,) = folder.glob("*.eval")
    return file


def test_a_log_that_inspect_has_just_written_is_read_with_every_sample(tmp_path: Path) -> None:
    file = written(tmp_path)
    with zipfile.ZipFile(file) as archive:
        assert ZSTANDARD in {member.compress_type for member in archive.infolist()}
    log = open_log(file)
    events = list(log)
    assert len(of(Begin, events)) == 2
    assert [(event.source, event.text) for event in of(Message, events)] == [
        ("user", "outside"),
        ("agent", "outside: 7 degrees"),
        ("user", "inside"),
        ("agent", "inside: 7 degrees"),
    ]
    assert not list(log.notes.lines())
