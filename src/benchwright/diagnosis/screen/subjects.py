"""What can be screened: the closed episodes of a run, one episode, one log, a folder of logs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchwright.canonical import digest_file
from benchwright.diagnosis.labels.model import Subject, system_of
from benchwright.episodes.folder import RunFolder, read_closing
from benchwright.episodes.model import AgentRecord
from benchwright.errors import FormatError, SpecError

_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Screenable:
    """A log with what is known of it."""

    subject: Subject
    log: Path
    artifacts: Path | None = None
    listed: bool = False
    """Whether it was found in a folder, where a file that is no log is passed over."""


def subjects_of(path: Path, artifacts: Path | None = None) -> Iterator[Screenable]:
    """What a path of the command line means, in a fixed order.

    artifacts: the folder that the run of one log left.

    Raises:
        SpecError: there is nothing at `path`, or `artifacts` is given for more than one log.
        FormatError, RunError: a run or an episode whose records cannot be read.
    """
    if artifacts is not None and not artifacts.is_dir():
        raise SpecError(
            "no such folder", value=str(artifacts), where="--artifacts", hint="Check the path."
        )
    if artifacts is not None and not path.is_file():
        raise SpecError(
            "artifacts do not belong to that",
            value=str(artifacts),
            where="--artifacts",
            hint="Give one log, and the folder that its run left.",
        )
    if path.is_file():
        yield _of_log(path, artifacts)
    elif (path / "run.toml").is_file():
        yield from _of_run(RunFolder.open(path))
    elif (path / "episode.json").is_file():
        yield _of_episode(path)
    elif path.is_dir():
        files = sorted(p for p in path.rglob("*") if p.is_file() and not p.is_symlink())
        yield from (Screenable(_named(file), file, None, True) for file in files)
    else:
        raise SpecError("nothing there", value=str(path), where="LOG", hint="Check the path.")


def _of_run(run: RunFolder) -> Iterator[Screenable]:
    suite = run.record.scorer.partition("/")[0]
    for episode in run.episodes():
        found = _in(episode.folder, episode.id, episode.task_id, episode.agent, suite)
        if found is not None:
            yield found


def _of_episode(folder: Path) -> Screenable:
    closing = read_closing(folder)
    found = _in(folder, closing.id, closing.task_id, closing.agent, "")
    if found is None:
        raise FormatError(
            "episode has no trajectory",
            value=closing.id,
            where=folder / "trajectory.json",
            hint="Screen its native log instead, if there is one.",
        )
    return found


def _in(folder: Path, name: str, task: str, agent: AgentRecord, suite: str) -> Screenable | None:
    trajectory, artifacts = folder / "trajectory.json", folder / "artifacts"
    if not trajectory.is_file():
        return None
    subject = Subject(name, task, system_of(agent), suite)
    return Screenable(subject, trajectory, artifacts if artifacts.is_dir() else None)


def _of_log(path: Path, artifacts: Path | None) -> Screenable:
    return Screenable(_named(path), path, artifacts)


def _named(path: Path) -> Subject:
    """A foreign log is called by its name and its content."""
    return Subject(f"{path.stem}-{digest_file(path).removeprefix('sha256:')[:_DIGITS]}")
