"""Taking names out of texts: those of the agents and models of the runs, and of makers of any.

An agent gives itself away in its own words, in paths, in headers and in the banners of its program.
Every such name becomes `[masked]`, in whatever case and with whatever signs between its parts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from benchwright.episodes.model import AgentRecord

MASKED = "[masked]"
_SURE = 6
"""Letters and digits of a name that is masked inside longer words too."""
_SHORTEST = 3
_SHORTEST_PART = 4
_BETWEEN = r"[\W_]{0,4}"


@dataclass(frozen=True)
class Mask:
    """Masks texts."""

    pattern: re.Pattern[str]

    def __call__(self, text: str) -> str:
        """`text` with every name masked."""
        return self.pattern.sub(MASKED, text)


def mask_for(agents: Iterable[AgentRecord], more: Iterable[str] = ()) -> Mask:
    """A mask for the names of `agents`, their models and code, and for `more` names as they are."""
    table = _table()
    found = {name for agent in agents for name in _names(agent, frozenset(table["generic"]))}
    found.update(filter(None, more))
    own = [_expression(name, len(_parts_joined(name)) >= _SURE) for name in _longest_first(found)]
    shipped = [_expression(name, True) for name in table["inside"]]
    shipped += [_expression(name, False) for name in table["alone"]]
    return Mask(re.compile("|".join([*own, *shipped]), re.IGNORECASE))


def _names(agent: AgentRecord, generic: frozenset[str]) -> Iterator[str]:
    """Whole names, what stands around a slash, and of models every telling part.

    Names of agents are made of ordinary words (`keeps_evidence`), whose parts say nothing alone.
    """
    code = agent.settings.get("agent")
    for name in (agent.name, agent.model or "", code if isinstance(code, str) else ""):
        for piece in (name, *re.split(r"[/@:]", name)):
            if len(_parts_joined(piece)) >= _SHORTEST and piece.lower() not in generic:
                yield piece
    for part in re.split(r"[^A-Za-z]+", agent.model or ""):
        if len(part) >= _SHORTEST_PART and part.lower() not in generic:
            yield part


def _expression(name: str, inside: bool) -> str:
    """What finds a name: its parts with any signs between them; alone, no letter beside it."""
    body = _BETWEEN.join(map(re.escape, _parts(name)))
    return body if inside else rf"(?<![^\W_]){body}(?![^\W_])"


def _parts(name: str) -> list[str]:
    """Runs of letters and of digits: `gpt-5` and `gpt5` are the same name."""
    return re.findall(r"[^\W\d_]+|\d+", name)


def _parts_joined(name: str) -> str:
    return "".join(_parts(name))


def _longest_first(names: Iterable[str]) -> list[str]:
    return sorted((name for name in names if _parts(name)), key=lambda name: (-len(name), name))


@cache
def _table() -> Mapping[str, list[str]]:
    file = resources.files("benchwright.diagnosis.cards").joinpath("names.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
