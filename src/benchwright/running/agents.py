"""Agents by name: what runs for each, and the record of any agent for a plan.

An agent is built into a suite, or it brings a model: an entry of `agents.toml` (the shipped one, or
one that a person wrote), a registered solver of Inspect (`package/name`), or a file's own
(`file.py@name`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import metadata, resources
from pathlib import Path
from typing import Any

from benchwright import __version__
from benchwright.canonical import Json, digest_file
from benchwright.episodes.model import AgentRecord, Box
from benchwright.errors import SpecError
from benchwright.running.model import SuiteParts
from benchwright.storage import nearest, without_absent
from benchwright.tasks.model import TaskLimits
from benchwright.trajectory.prices import Price

_OWN_FILE = re.compile(r"(?P<file>.+\.py)@(?P<name>\w+)")
_LOOP = "react"


@dataclass(frozen=True, slots=True)
class AgentLimits:
    """Bounds of an agent beside those of its task; the smaller one holds. None is no bound."""

    messages: int | None = None
    tokens: int | None = None
    wall_s: int | None = None
    cost_nano_usd: int | None = None

    def within(self, limits: TaskLimits) -> TaskLimits:
        """The limits of a task with the agent's own ones applied; 0 means no limit."""
        return replace(
            limits,
            messages=_smaller(limits.messages, self.messages),
            tokens=_smaller(limits.tokens, self.tokens),
            wall_s=_smaller(limits.wall_s, self.wall_s),
        )


@dataclass(frozen=True, slots=True)
class Code:
    """What acts: Inspect's ReAct loop, a registered solver or agent, or one of a file."""

    name: str
    """`react`, `package/name`, or the name in the file."""
    file: Path | None = None
    version: str | None = None
    """Of a package its version, of a file the digest of its content."""

    @property
    def shown(self) -> str:
        """As records hold it: of a file the last part of its path only."""
        return f"{self.file.name}@{self.name}" if self.file else self.name


@dataclass(frozen=True, slots=True)
class ModelAgent:
    """One agent that brings a model, or may."""

    name: str
    doc: str = ""
    code: Code = Code(_LOOP)
    args: Mapping[str, Any] = field(default_factory=dict, hash=False)
    model: str | None = None
    """None: the one of --model."""
    model_args: Mapping[str, Any] = field(default_factory=dict, hash=False)
    generate: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Options of Inspect's GenerateConfig."""
    limits: AgentLimits = AgentLimits()
    price: Price | None = None
    """None: the one of prices.toml."""
    command_timeout_s: int = 180
    """Of one call of bash or python in the ReAct loop."""

    @property
    def is_loop(self) -> bool:
        """Whether Inspect's ReAct loop acts, which cannot do without a model."""
        return self.code.name == _LOOP

    @property
    def needs_model(self) -> bool:
        """Whether it cannot act without one: the loop, and whatever Inspect itself registers."""
        return self.is_loop or (self.code.file is None and self.code.name.startswith("inspect_ai/"))

    def settings(self) -> dict[str, Json]:
        """What differs from the shipped `react`, for records; name and model stand apart."""
        usual = ModelAgent(self.name)
        parts = ("args", "model_args", "generate", "limits", "price", "command_timeout_s")
        said = {p: getattr(self, p) for p in parts if getattr(self, p) != getattr(usual, p)}
        code = {} if self.is_loop else {"agent": self.code.shown, "code": self.code.version}
        return without_absent({**code, **said})


@cache
def model_agents() -> dict[str, ModelAgent]:
    """Every shipped agent that brings a model, by name."""
    from benchwright.running.agents_file import read_agents

    with resources.as_file(resources.files("benchwright.running") / "agents.toml") as path:
        return read_agents(path)


def known_agents(names: Iterable[str] = (), file: Path | None = None) -> dict[str, ModelAgent]:
    """Agents with a model by what `--agent` may say: shipped, of `file`, and own code in `names`.

    Raises:
        SpecError: the file is unusable, takes a name that is taken, or own code is not there.
    """
    known = dict(model_agents())
    if file is not None:
        from benchwright.running.agents_file import read_agents

        for name, entry in read_agents(file).items():
            if name in known:
                raise _taken(name, file)
            known[name] = entry
    for name in names:
        if name not in known and ("@" in name or "/" in name or name.endswith(".py")):
            code = code_of(name, Path(), "--agent")
            known[name] = ModelAgent(code.shown, code=code)
    return known


def code_of(text: str, folder: Path, where: str) -> Code:
    """The code that `react`, `package/name` or `file.py@name` names; files stand below `folder`."""
    if text == _LOOP:
        return Code(_LOOP)
    found = _OWN_FILE.fullmatch(text)
    if found:
        return _own_file(folder / found["file"], found["name"], where)
    package = text.partition("/")[0]
    if not re.fullmatch(r"\w+/[\w/]+", text) or package == "benchwright":
        raise SpecError(
            "no such agent",
            value=text,
            where=where,
            hint=f"Name {_LOOP}, a registered solver as package/name, or your own as file.py@name.",
        )
    return Code(text, version=_package_version(package))


def agent_record(
    suite: SuiteParts,
    name: str,
    model: str | None,
    box: Box,
    known: Mapping[str, ModelAgent] | None = None,
) -> AgentRecord:
    """The record of an agent; refuses unknown names and an agent that lacks its model.

    `known` are the agents that bring a model (default: the shipped ones).
    """
    brought = model_agents() if known is None else known
    for own in brought.values():
        if own.name in suite.agents:
            raise _taken(own.name, "agents of the suite")
    if name not in suite.agents and name not in brought:
        hint = nearest(name, (*suite.agents, *brought))
        raise SpecError("unknown agent", value=name, where="--agent", hint=hint)
    entry = brought.get(name)
    if entry is not None:
        _refuse_unready(entry, model, box)
    return AgentRecord(
        name=entry.name if entry else name,
        model=(entry.model or model or None) if entry else None,
        privileged=name in suite.privileged,
        sandbox=box,
        version=f"benchwright {__version__}",
        settings=entry.settings() if entry else {},
    )


def _refuse_unready(entry: ModelAgent, model: str | None, box: str) -> None:
    if entry.needs_model and not (entry.model or model):
        raise SpecError(
            "agent needs a model",
            value=entry.name,
            where="--model",
            hint="Add --model PROVIDER/NAME as Inspect names it, e.g. openai/gpt-5.5.",
        )
    if box == "none":
        raise SpecError(
            "only built-in agents may run without a sandbox",
            value=entry.name,
            where="--sandbox none",
            hint="Leave --sandbox out; see README on bubblewrap if it does not start here.",
        )


def _own_file(file: Path, name: str, where: str) -> Code:
    if not file.is_file():
        raise SpecError(
            "file of the agent is not there",
            value=str(file),
            where=where,
            hint="Name a Python file as file.py@name; in an agents file, relative to that file.",
        )
    return Code(name, file.resolve(), digest_file(file))


def _package_version(package: str) -> str | None:
    found = metadata.packages_distributions().get(package, [package])
    try:
        return f"{found[0]} {metadata.version(found[0])}"
    except metadata.PackageNotFoundError:
        return None


def _taken(name: str, where: object) -> SpecError:
    return SpecError(
        "name of an agent is taken already",
        value=name,
        where=where,
        hint="Choose another name for the entry.",
    )


def _smaller(limit: int, own: int | None) -> int:
    """The smaller of two bounds, of which 0 and None are none."""
    return min((bound for bound in (limit, own) if bound), default=0)
