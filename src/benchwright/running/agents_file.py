"""Reading `agents.toml`: the shipped one, and those that people write.

Takes a TOML file; gives `ModelAgent` records or one `SpecError` with place and nearest known name.
Keys of providers belong into the environment: a file that holds one is refused, because settings
are written into records and pages.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError

from benchwright.errors import SpecError
from benchwright.running.agents import AgentLimits, ModelAgent, code_of
from benchwright.storage import explain, finding, read_toml
from benchwright.trajectory.prices import Price

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_SECRET = re.compile(
    r"(?:api|access|private)[_-]?key|secret|passw|authorization|credential|bearer|token(?![a-z_])",
    re.IGNORECASE,
)
"""`max_tokens` and `tokenizer` are none."""
_LOGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#\s@]+@", re.IGNORECASE)
_KEY = re.compile(r"(?:sk|pk|rk|xox[abp]|gh[pousr]|AIza|hf|AKIA)[-_]?[A-Za-z0-9_-]{16,}")
"""How the keys of common providers begin."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Limits(_Strict):
    messages: StrictInt | None = Field(default=None, ge=1)
    tokens: StrictInt | None = Field(default=None, ge=1)
    wall_s: StrictInt | None = Field(default=None, ge=1)
    cost_usd: Decimal | None = Field(default=None, gt=0, le=1_000_000, decimal_places=9)


_Usd = Annotated[Decimal, Field(ge=0, le=1_000_000, decimal_places=3)]


class _Price(_Strict):
    """USD per million tokens: three decimals make a whole number of nano-USD per token."""

    input: _Usd
    cached: _Usd
    output: _Usd


class _Entry(_Strict):
    doc: StrictStr = ""
    agent: StrictStr = "react"
    args: dict[str, Any] = {}
    model: Annotated[StrictStr, Field(min_length=1)] | None = None
    model_args: dict[str, Any] = {}
    reasoning_effort: StrictStr | None = None
    generate: dict[str, Any] = {}
    limits: _Limits = _Limits()
    price: _Price | None = None
    command_timeout_s: StrictInt = Field(default=180, ge=1)


class _File(_Strict):
    format: Literal["benchwright.agents-file/1"] = "benchwright.agents-file/1"
    agents: dict[str, dict[str, Any]] = Field(min_length=1)


def read_agents(path: Path) -> dict[str, ModelAgent]:
    """Every entry of an agents file by name; own code is looked for beside the file."""
    data = read_toml(path)
    try:
        file = _File.model_validate(data)
    except ValidationError as error:
        raise explain(error, _File, path) from error
    return {name: _agent(name, entry, path) for name, entry in file.agents.items()}


def _agent(name: str, data: dict[str, Any], path: Path) -> ModelAgent:
    where = f"{path}: agents.{name}"
    if not _NAME.fullmatch(name):
        raise SpecError(
            "agent has an unusable name",
            value=name,
            where=path,
            hint="Use up to 40 letters, digits, dots, dashes and underscores.",
        )
    try:
        entry = _Entry.model_validate(data)
    except ValidationError as error:
        raise explain(error, _model_of(error), where) from error
    tables = {"args": entry.args, "model_args": entry.model_args, "generate": entry.generate}
    _refuse_secrets(tables, where)
    _refuse_endless(tables, where)
    effort = {"reasoning_effort": entry.reasoning_effort} if entry.reasoning_effort else {}
    return ModelAgent(
        name=name,
        doc=entry.doc,
        code=code_of(entry.agent, path.parent, where),
        args=entry.args,
        model=entry.model,
        model_args=entry.model_args,
        generate={**entry.generate, **effort},
        limits=_limits(entry.limits),
        price=_price(entry.price) if entry.price else None,
        command_timeout_s=entry.command_timeout_s,
    )


def _limits(given: _Limits) -> AgentLimits:
    nano = None if given.cost_usd is None else int(given.cost_usd * 10**9)
    return AgentLimits(given.messages, given.tokens, given.wall_s, nano)


def _price(given: _Price) -> Price:
    return Price(*(int(usd * 1000) for usd in (given.input, given.cached, given.output)))


def _model_of(error: ValidationError) -> type[BaseModel]:
    """The table that the finding is about, so that its keys are the ones offered."""
    tables: dict[object, type[BaseModel]] = {"limits": _Limits, "price": _Price}
    place = finding(error)["loc"]
    return tables.get(place[0], _Entry) if len(place) > 1 else _Entry


def _refuse_secrets(tables: Mapping[str, Any], where: str) -> None:
    hint = "Set the provider's environment variable, e.g. OPENAI_API_KEY."
    problem = "keys of providers do not belong into this file"
    for key, value in _entries(tables):
        if _SECRET.search(key):
            raise SpecError(problem, value=key, where=where, hint=hint)
        if isinstance(value, str) and (_LOGIN.search(value) or _KEY.match(value)):
            raise SpecError(problem, value=f"value of {key}", where=where, hint=hint)


def _refuse_endless(tables: Mapping[str, Any], where: str) -> None:
    """TOML has numbers that no record can hold."""
    for key, value in _entries(tables):
        if isinstance(value, float) and not math.isfinite(value):
            hint = "Use a finite number, or leave the key out."
            raise SpecError("number is not finite", value=value, where=f"{where}: {key}", hint=hint)


def _entries(value: object, key: str = "") -> Iterator[tuple[str, object]]:
    """Every key and value of nested tables; what stands in a list goes by the key of the list."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _entries(inner, str(name))
            if isinstance(inner, Mapping | list):
                yield str(name), None
    elif isinstance(value, list):
        for inner in value:
            yield from _entries(inner, key)
    else:
        yield key, value
