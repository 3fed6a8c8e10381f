"""The files that a Claude session keeps beside its own: one for each sub-agent.

Takes the path of a session file; gives paths below its folder, never through a link that leads
out of it. Newer versions: `<session>/subagents/agent-<id>.jsonl`; older: `agent-<id>.jsonl` beside
the session file, where other sessions have theirs too: only those that the session names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9_-]{1,200}")
_FILE = re.compile(r"agent-(.{1,200})\.jsonl")


def companions(log: Path, session: str | None, named: Iterable[str]) -> Iterator[tuple[str, Path]]:
    """Id of a sub-agent and its file, in the order of the names; each file once.

    session: id that the records state; named: ids of the sub-agents that results name.
    """
    root = log.parent.resolve()
    folders = [log.stem, *([session] if session and _NAME.fullmatch(session) else [])]
    seen = {log.resolve()}
    for folder in dict.fromkeys(folders):
        for path in _agent_files(log.parent / folder / "subagents", root):
            if _inside(path, root, seen):
                yield _id(path), path
    for agent in sorted(named):
        path = log.parent / f"agent-{agent}.jsonl"
        if _NAME.fullmatch(agent) and path.is_file() and _inside(path, root, seen):
            yield agent, path


def _agent_files(folder: Path, root: Path) -> list[Path]:
    """Files of agents at any depth, in the order of their paths; no folder outside is listed."""
    found: list[Path] = []
    if not folder.resolve().is_relative_to(root):
        return found
    for where, _, names in os.walk(folder):
        found += [Path(where, name) for name in names if _FILE.fullmatch(name)]
    return sorted(path for path in found if path.is_file())


def _id(path: Path) -> str:
    found = _FILE.fullmatch(path.name)
    return found.group(1) if found else path.stem


def _inside(path: Path, root: Path, seen: set[Path]) -> bool:
    """Whether the file itself lies below the folder of the log, and is new."""
    real = path.resolve()
    if real in seen or not real.is_relative_to(root):
        return False
    seen.add(real)
    return True
