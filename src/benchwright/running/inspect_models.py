"""Opening what an agent brings: its model with its settings, and its own code as a solver."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from inspect_ai.model import (
    GenerateConfig,
    Model,
    ModelCost,
    ModelInfo,
    get_model,
    get_model_info,
    set_model_info,
)
from inspect_ai.solver import Solver, chain
from inspect_ai.util import registry_create, registry_info
from pydantic import ValidationError
from rich.errors import MarkupError
from rich.text import Text

from benchwright.errors import SpecError
from benchwright.running.agents import Code, ModelAgent
from benchwright.running.inspect_border import with_border
from benchwright.running.interrupt import telling_interrupts
from benchwright.storage import explain, nearest
from benchwright.trajectory.prices import Price, price_of

_INSTALL = re.compile(r"pip install (?:-U |--upgrade )?['\"]?([A-Za-z][\w.\[\]-]*)")
"""How Inspect says that the client package of a provider is not there, or too old."""


def open_model(agent: ModelAgent, name: str) -> Model:
    """The model `name` with the settings of `agent`; SpecError when Inspect cannot open it here."""
    where = f"agent {agent.name}"
    config = _config(agent.generate, where)
    try:
        model = get_model(name, config=config, **dict(agent.model_args))
    except (Exception, SystemExit) as error:
        said = _plain(str(error)) or type(error).__name__
        client = _INSTALL.search(said)
        hint = (
            f"Install its client: .venv/bin/pip install -c constraints.txt {client[1]}"
            if client
            else f"Inspect says: {said[:300]}"
        )
        raise SpecError("model cannot be opened", value=name, where=where, hint=hint) from error
    if agent.limits.cost_nano_usd is not None:
        _set_price(name, agent.price or price_of(name), where)
    return with_border(model)


def open_solver(agent: ModelAgent) -> Solver:
    """Own or registered code as a solver; SpecError when it is not there or takes other arguments.

    A file is executed in this process, with the rights of whoever runs it.
    """
    where = f"agent {agent.name}"
    with telling_interrupts() as a_person_ended_it:
        try:
            return chain(_made(agent.code, agent.args, where))
        except SpecError:
            raise
        except BaseException as error:  # a file may raise anything, or call sys.exit()
            if isinstance(error, KeyboardInterrupt) and a_person_ended_it():
                raise
            said = " ".join(f"{type(error).__name__}: {error}".split())
            raise SpecError(
                "own agent cannot be opened",
                value=agent.code.shown,
                where=where,
                hint=f"Python says: {said[:300]}",
            ) from error


def _plain(said: str) -> str:
    """What Inspect says in one line, without the marks that its own console would obey."""
    with suppress(MarkupError):
        said = Text.from_markup(said).plain
    return " ".join(said.split())


def _made(code: Code, args: Mapping[str, Any], where: str) -> Any:
    if code.file is None:
        return _registered(code.name, args)
    module = _module(code.file, code.version or "")
    made = getattr(module, code.name, None)
    if made is None:
        own = [name for name, found in vars(module).items() if _is_marked(found, module)]
        hint = nearest(code.name, own) if own else "Define it with @solver or @agent."
        raise SpecError("file has no such agent", value=code.name, where=code.file, hint=hint)
    found = made(**args)
    if _kind(found) not in ("solver", "agent"):
        raise SpecError(
            "neither a solver nor an agent",
            value=_kind(found),
            where=f"{where}: {code.shown}",
            hint="Name a function that is marked @solver or @agent.",
        )
    return found


def _is_marked(found: object, module: ModuleType) -> bool:
    """Whether a name of a module is a solver or agent that is written there, not imported."""
    own = getattr(found, "__module__", None) == module.__name__
    return own and _kind(found) in ("solver", "agent")


def _kind(made: Any) -> str:
    try:
        return registry_info(made).type
    except (ValueError, AttributeError, TypeError):
        return type(made).__name__


def _registered(name: str, args: Mapping[str, Any]) -> Any:
    try:
        return registry_create("solver", name, **args)
    except LookupError:
        return registry_create("agent", name, **args)


def _module(file: Path, digest: str) -> ModuleType:
    """The module of a file, executed once per content; modules beside it can be imported."""
    name = f"benchwright_agent_{file.stem}_{digest[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _importable(file.parent):
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _config(generate: Mapping[str, Any], where: str) -> GenerateConfig:
    for key in generate:
        if key not in GenerateConfig.model_fields:
            raise SpecError(
                "unknown key",
                value=key,
                where=f"{where}: generate",
                hint=nearest(key, GenerateConfig.model_fields),
            )
    try:
        return GenerateConfig.model_validate(dict(generate))
    except ValidationError as error:
        raise explain(error, GenerateConfig, f"{where}: generate") from error


def _set_price(model: str, price: Price | None, where: str) -> None:
    """Tell Inspect what tokens cost, so that it can stop an episode at its limit of money."""
    if price is None:
        raise SpecError(
            "a limit of cost needs the price of the model",
            value=model,
            where=where,
            hint="Add price = { input = .., cached = .., output = .. }, USD per million tokens.",
        )
    usd = ModelCost(
        input=price.input / 1000,
        output=price.output / 1000,
        input_cache_write=price.input / 1000,
        input_cache_read=price.cached / 1000,
    )
    known = get_model_info(model) or ModelInfo()
    set_model_info(model, known.model_copy(update={"cost": usd}))
