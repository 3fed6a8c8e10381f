"""Random draws of a Python source, and the seeds that it sets. Never run.

Streams: `random`, `numpy`, `torch`, `tensorflow` are the global ones, which a seed call sets; `own`
is a generator that was made without a seed, which none does; `option` one that gets its seed from
an option of the command line which has no default.
"""

from __future__ import annotations

import ast
import tomllib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

Stream = Literal["random", "numpy", "torch", "tensorflow", "own", "option", "all"]


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw: what is called, of which stream, in which line."""

    what: str
    stream: Stream
    line: int


@dataclass(frozen=True, slots=True)
class Draws:
    """What a source draws, which streams it seeds, which modules it imports."""

    draws: tuple[Draw, ...]
    seeds: frozenset[Stream]
    imports: tuple[str, ...]


def read_draws(text: str) -> Draws | None:
    """The draws of a source; None for what does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names, own = (
        dict(_names(tree)),
        {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)},
    )
    harmless = {id(n) for node in ast.walk(tree) if _is_harmless(node) for n in ast.walk(node)}
    idle = {id(n) for node in _never_called(tree) for n in ast.walk(node)}
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and id(n) not in idle]
    draws = [d for n in calls if id(n) not in harmless for d in _drawn(n, _path(n.func, names))]
    if any(_asks_for_seed(n) for n in calls):
        draws += [Draw(_last(n.func), "option", n.lineno) for n in calls if _by_option(n)]
    seeds = frozenset(s for n in calls for s in _seeded(n, _path(n.func, names), own))
    imports = tuple(dict.fromkeys(imported(tree)))
    return Draws(tuple(sorted(draws, key=lambda d: d.line)), seeds, imports)


@cache
def _table() -> dict[str, dict[str, Any]]:
    file = resources.files("benchwright.diagnosis.screen").joinpath("draws.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _listed(section: str, name: str) -> frozenset[str]:
    return frozenset(_table()[section].get(name, ()))


def _is_harmless(node: ast.AST) -> bool:
    """Whether what is drawn below it is a pause, a name or a place in a picture: no result."""
    if not isinstance(node, ast.Call):
        return False
    letters = any(
        isinstance(n, ast.Attribute) and n.attr in _listed("other", "letters")
        for n in ast.walk(node)
    )
    last = _last(node.func)
    return last in _listed("other", "harmless") or (letters and last in _listed("random", "draws"))


def _never_called(tree: ast.Module) -> Iterator[ast.AST]:
    """Functions of a program that nothing in it names."""
    named = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    named |= {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    silent = ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom | ast.Assign
    for node in tree.body if not all(isinstance(n, silent) for n in tree.body) else ():
        if isinstance(node, ast.FunctionDef) and node.name not in named and not node.decorator_list:
            yield node


def _names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Local name: what it is, as a dotted path."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def imported(tree: ast.Module) -> Iterator[str]:
    """Last names of the modules that a program imports, and of what it imports from them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.rpartition(".")[2] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.module:
                yield node.module.rpartition(".")[2]
            yield from (alias.name for alias in node.names)


def _path(node: ast.expr, names: dict[str, str]) -> str:
    """Dotted path of what is called; empty for what is computed."""
    if isinstance(node, ast.Name):
        return names.get(node.id, "")
    if isinstance(node, ast.Attribute):
        above = _path(node.value, names)
        return f"{above}.{node.attr}" if above else ""
    return ""


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _drawn(node: ast.Call, path: str) -> Iterator[Draw]:
    """What a call draws from a global stream, or from a generator without a seed."""
    last, line = _last(node.func), node.lineno
    root, above = path.partition(".")[0], path.rpartition(".")[0]
    for stream in ("random", "numpy", "torch", "tensorflow"):
        if (
            above == _table()[stream]["module"]
            and last in _listed(stream, "draws")
            and not _has_state(node)
        ):
            yield Draw(path, stream, line)
    if last in _listed("other", "generators") and root in ("numpy", "random"):
        if not _fixed(node.args, node.keywords):
            yield Draw(f"{last}()", "own", line)
    elif path.startswith("torch.nn.") and last in _listed("torch", "layers"):
        yield Draw(path, "torch", line)
    elif "keras" in path and last in _listed("tensorflow", "layers"):
        yield Draw(path, "tensorflow", line)
    elif not _has_state(node) and _takes_state(node, path, root, last):
        yield Draw(path or f".{last}()", "numpy", line)


def _takes_state(node: ast.Call, path: str, root: str, last: str) -> bool:
    """Whether a call draws unless it is given a state."""
    if last == "sample" and not path and any(k.arg in ("n", "frac") for k in node.keywords):
        return True  # of a frame
    if root == "sklearn" and last in _listed("stateful", "shufflers"):
        return _says(node, "shuffle", True)
    if last == "KMeans" and any(
        k.arg == "init" and not isinstance(k.value, ast.Constant) for k in node.keywords
    ):
        return False
    if root == "sklearn" and last in _listed("stateful", "sklearn"):
        unpacked = any(k.arg is None for k in node.keywords)
        return not unpacked and not (last == "train_test_split" and _says(node, "shuffle", False))
    if root == "scipy" and last in _listed("stateful", "scipy"):
        return True
    return path in _listed("stateful", "others")


def _has_state(node: ast.Call) -> bool:
    return any(
        k.arg in _listed("stateful", "names") and not _is_none(k.value) for k in node.keywords
    )


def _fixed(args: list[ast.expr], keywords: list[ast.keyword]) -> bool:
    """Whether what is given as a seed is one: neither None nor the time."""
    values = [*args, *(k.value for k in keywords if k.arg in ("seed", "x", "a", None))]
    return any(not _is_none(value) and not _is_chance(value) for value in values)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_chance(node: ast.expr) -> bool:
    """Whether a seed is another one at every run."""
    called = {_last(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}
    return bool(called & _listed("other", "unsure"))


def _says(node: ast.Call, name: str, value: bool) -> bool:
    return any(
        k.arg == name and isinstance(k.value, ast.Constant) and k.value.value is value
        for k in node.keywords
    )


def _asks_for_seed(node: ast.Call) -> bool:
    """Whether it declares an option for a seed that is None unless it is given."""
    names = [a.value for a in node.args if isinstance(a, ast.Constant)]
    if _last(node.func) != "add_argument" or not any("seed" in str(name) for name in names):
        return False
    given = [k for k in node.keywords if k.arg == "default" and not _is_none(k.value)]
    return not given and not _says(node, "required", True)


def _by_option(node: ast.Call) -> bool:
    """Whether a generator or estimator takes its seed from the options."""
    values = [*node.args, *(k.value for k in node.keywords if k.arg in ("seed", "random_state"))]
    takes = _last(node.func) in _listed("other", "generators") or _has_state(node)
    return takes and any(isinstance(v, ast.Attribute) and "seed" in v.attr for v in values)


def _seeded(node: ast.Call, path: str, own: set[str]) -> Iterator[Stream]:
    """The global streams that a call seeds; a function of the file itself by what it calls."""
    last = _last(node.func)
    if isinstance(node.func, ast.Name) and node.func.id in own:
        return
    if last in _listed("seeds", "all"):
        yield "tensorflow" if path.startswith("tensorflow.") else "all"
    elif last in _listed("seeds", "torch") and _fixed(node.args, node.keywords):
        yield "torch"
    elif last in _listed("seeds", "numpy") and _fixed(node.args, node.keywords):
        yield "random" if path.startswith("random.") else "numpy"
