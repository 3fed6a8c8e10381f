"""A run on disk, drawn as a tree; the class that owns its paths (design 3).

<run>/run.toml              the resolved experiment: task set and digest, agents, limits
<run>/plan.jsonl            every episode that is owed, written before anything starts
<run>/episodes/<id>/        trajectory.json, artifacts/ or session.jsonl, scores/, last episode.json
<run>/broken/<id>/<n>/      the n-th attempt that broke off, whole (see `episodes.broken`)
<run>/inspect/*.eval        the runner's own logs; nothing here reads them
<run>/rows.parquet          derived; may be deleted
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from benchwright.canonical import canonical_json, digest_bytes, digest_file, digest_tree, plain
from benchwright.episodes.model import (
    AgentRecord,
    End,
    Episode,
    Owner,
    Planned,
    RunRecord,
    Usage,
    agent_data,
)
from benchwright.errors import FormatError, RunError
from benchwright.storage import (
    read_json,
    read_json_lines,
    read_toml,
    safe_join,
    write_bytes,
    write_json,
    write_toml,
)
from benchwright.storage.records import Count, Digest, Name, Text, record, without_repeats

RUN_FORMAT = "benchwright.run-record/1"
PLAN_FORMAT = "benchwright.plan/1"
EPISODE_FORMAT = "benchwright.episode/1"
KEPT = ("trajectory.json", "collected.json", "answers.json", "session.jsonl")
"""Records of an episode that its closing record states by digest."""


@dataclass(frozen=True, slots=True)
class Closing:
    """The content of episode.json: the episode, and digests of what was kept of it."""

    id: Name
    task_id: Name
    task_digest: Text
    agent: AgentRecord
    trial: Count
    end: End
    owner: Owner | None
    usage: Usage
    artifacts: Digest | None
    records: Mapping[str, Digest]


@dataclass(frozen=True)
class RunFolder:
    """An existing run; `create` makes one, `open` refuses anything else."""

    path: Path

    @classmethod
    def create(cls, path: Path, stated: Mapping[str, Any], plan: Iterable[Planned]) -> RunFolder:
        """Write the plan and, as the mark that both are complete, run.toml.

        `stated` holds what `RunRecord` reads, but for the digest of the plan, and what else people
        should find in run.toml.
        """
        run = cls(path)
        lines = [canonical_json({"format": PLAN_FORMAT, **_dict(p)}) for p in plan]
        data = b"\n".join(lines) + b"\n"
        write_bytes(path / "plan.jsonl", data)
        write_toml(path / "run.toml", {"format": RUN_FORMAT, "plan": digest_bytes(data), **stated})
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
        assert run.plan is not None
        return run

    @cached_property
    def record(self) -> RunRecord:
        """What run.toml states."""
        file = self.path / "run.toml"
        return record(RunRecord, read_toml(file, form=RUN_FORMAT), file)

    def refuse_other_scorer(self, name: str) -> None:
        """RunError unless the run was planned for the scorer `name`: versions are never mixed."""
        if self.record.scorer != name:
            raise RunError(
                "run was made for another scorer",
                value=self.record.scorer,
                where=self.path / "run.toml",
                hint=f"This version scores by {name}: use the one that made the run, or run again.",
            )

    @cached_property
    def plan(self) -> tuple[Planned, ...]:
        """Every owed episode in planned order."""
        file = self.path / "plan.jsonl"
        lines = read_json_lines(file, form=PLAN_FORMAT)
        if digest_file(file) != self.record.plan:
            raise RunError(
                "plan is not the one that run.toml states",
                value=file.name,
                where=file,
                hint="Restore the run folder from where it came; a plan is never edited.",
            )
        plan = tuple(record(Planned, line, where) for line, where in lines)
        without_repeats((planned.id for planned in plan), "episode", file)
        return plan

    @cached_property
    def _by_id(self) -> dict[str, Planned]:
        return {planned.id: planned for planned in self.plan}

    def folder(self, episode_id: str) -> Path:
        """Folder of one episode, closed or not."""
        return safe_join(self.path / "episodes", episode_id)

    def is_closed(self, episode_id: str) -> bool:
        """Whether the closing record exists, readable or not; nothing else means finished."""
        return os.path.lexists(self.folder(episode_id) / "episode.json")

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
    stated = read_closing(folder)
    return Episode(
        id=stated.id,
        task_id=stated.task_id,
        task_digest=stated.task_digest,
        agent=stated.agent,
        trial=stated.trial,
        end=stated.end,
        owner=stated.owner,
        usage=stated.usage,
        folder=folder,
    )


def read_closing(folder: Path) -> Closing:
    """All that episode.json states."""
    file = folder / "episode.json"
    stated = record(Closing, read_json(file, form=EPISODE_FORMAT), file)
    if stated.end.kind in ("error", "killed") and stated.owner is None:
        raise FormatError(
            "episode broke off and nobody is to blame",
            value=stated.end.kind,
            where=f"{file}: owner",
            hint="Restore the run folder from where it came.",
        )
    return stated


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


def _dict(record: Planned | Episode) -> dict[str, Any]:
    value = plain(record)
    assert isinstance(value, dict)
    return {**value, "agent": agent_data(record.agent)}
