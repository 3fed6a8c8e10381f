"""A run on disk, drawn as a tree; the class that owns its paths (design 3).

<run>/run.toml              the resolved experiment: task set and digest, agents, limits
<run>/plan.jsonl            every episode that is owed, written before anything starts
<run>/episodes/<id>/        trajectory.json, artifacts/, native/, scores/, last of all episode.json
<run>/broken/<id>/<n>/      the n-th attempt that broke off, whole (see `episodes.broken`)
<run>/inspect/*.eval        the runner's own logs; nothing here reads them
<run>/rows.parquet          derived; may be deleted
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from benchwright.canonical import canonical_json, digest_bytes, digest_file, digest_tree, plain
from benchwright.episodes.model import AgentRecord, End, Episode, Planned, Usage, agent_data
from benchwright.errors import RunError
from benchwright.storage import (
    check_format,
    complete,
    read_json,
    read_toml,
    safe_join,
    write_bytes,
    write_json,
    write_toml,
)

RUN_FORMAT = "benchwright.run-record/1"
PLAN_FORMAT = "benchwright.plan/1"
EPISODE_FORMAT = "benchwright.episode/1"
KEPT = ("trajectory.json", "collected.json", "answers.json")
"""Records of an episode that its closing record states by digest."""


@dataclass(frozen=True)
class RunFolder:
    """An existing run; `create` makes one, `open` refuses anything else."""

    path: Path

    @classmethod
    def create(cls, path: Path, record: Mapping[str, Any], plan: Iterable[Planned]) -> RunFolder:
        """Write the plan and, as the mark that both are complete, run.toml."""
        run = cls(path)
        lines = [canonical_json({"format": PLAN_FORMAT, **_dict(p)}) for p in plan]
        data = b"\n".join(lines) + b"\n"
        write_bytes(path / "plan.jsonl", data)
        write_toml(path / "run.toml", {"format": RUN_FORMAT, "plan": digest_bytes(data), **record})
        return run

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """The run at `path`; checks format and number of run.toml and of the plan."""
        if not (path / "run.toml").is_file():
            raise RunError(
                "not a run folder",
                value=str(path),
                where=path / "run.toml",
                hint="Make one with: benchwright run TASKS --agent NAME --out FOLDER",
            )
        run = cls(path)
        assert run.record and run.plan is not None
        return run

    @cached_property
    def record(self) -> dict[str, Any]:
        """Content of run.toml."""
        return read_toml(self.path / "run.toml", form=RUN_FORMAT)

    @cached_property
    def plan(self) -> tuple[Planned, ...]:
        """Every owed episode in planned order."""
        file = self.path / "plan.jsonl"
        with complete(file):
            lines = [
                json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line
            ]
        for line in lines:
            check_format(line, PLAN_FORMAT, file)
        if digest_file(file) != self.record.get("plan"):
            raise RunError(
                "plan is not the one that run.toml states",
                value=file.name,
                where=file,
                hint="Restore the run folder from where it came; a plan is never edited.",
            )
        with complete(file):
            return tuple(_planned(line) for line in lines)

    @cached_property
    def _by_id(self) -> dict[str, Planned]:
        return {planned.id: planned for planned in self.plan}

    def folder(self, episode_id: str) -> Path:
        """Folder of one episode, closed or not."""
        return safe_join(self.path / "episodes", episode_id)

    def is_closed(self, episode_id: str) -> bool:
        """Whether the closing record exists; nothing else means finished."""
        return (self.folder(episode_id) / "episode.json").is_file()

    def owed(self) -> tuple[Planned, ...]:
        """Plan minus closed records."""
        return tuple(p for p in self.plan if not self.is_closed(p.id))

    def episodes(self) -> Iterator[Episode]:
        """Closed episodes in planned order."""
        return (self.episode(p.id) for p in self.plan if self.is_closed(p.id))

    def episode(self, episode_id: str) -> Episode:
        """One closed episode."""
        episode = read_episode(self.folder(episode_id))
        planned = self._by_id[episode_id]
        for part in ("id", "task_id", "task_digest", "agent", "trial"):
            if getattr(episode, part) != getattr(planned, part):
                raise RunError(
                    f"closing record has another {part} than the plan",
                    value=getattr(episode, part),
                    where=episode.folder,
                    hint="Restore the run folder from where it came; episodes are never moved.",
                )
        return episode

    def discard_unfinished(self) -> int:
        """Remove what an interrupted attempt left behind; returns how many folders."""
        owed = [self.folder(p.id) for p in self.owed()]
        left = [folder for folder in owed if folder.exists()]
        for folder in left:
            shutil.rmtree(folder)
        return len(left)


def read_episode(folder: Path) -> Episode:
    """The closing record in `folder`; unknown keys are kept in the file and ignored here."""
    data = read_json(folder / "episode.json", form=EPISODE_FORMAT)
    with complete(folder / "episode.json"):
        return Episode(
            id=data["id"],
            task_id=data["task_id"],
            task_digest=data["task_digest"],
            agent=AgentRecord(**data["agent"]),
            trial=data["trial"],
            end=End(**data["end"]),
            owner=data["owner"],
            usage=Usage(**data["usage"]),
            folder=folder,
        )


def close_episode(episode: Episode) -> None:
    """Write the closing record, with digests of what was kept; the last write of an episode."""
    record = _dict(episode)
    del record["folder"]
    record |= kept_digests(episode.folder)
    write_json(episode.folder / "episode.json", {"format": EPISODE_FORMAT, **record})


def kept_digests(folder: Path) -> dict[str, Any]:
    """Digests of the artifacts, and of every record beside them that scoring or reading uses."""
    artifacts = folder / "artifacts"
    present = {name: folder / name for name in KEPT if (folder / name).is_file()}
    return {
        "artifacts": digest_tree(artifacts) if artifacts.is_dir() else None,
        "records": {name: digest_file(path) for name, path in present.items()},
    }


def _planned(data: dict[str, Any]) -> Planned:
    return Planned(
        id=data["id"],
        task_id=data["task_id"],
        task_digest=data["task_digest"],
        agent=AgentRecord(**data["agent"]),
        trial=data["trial"],
    )


def _dict(record: Planned | Episode) -> dict[str, Any]:
    value = plain(record)
    assert isinstance(value, dict)
    return {**value, "agent": agent_data(record.agent)}
