"""One family of errors: each says problem, value, place and next step, in one line."""

from __future__ import annotations

import ast
import pickle
import re
from functools import cache
from pathlib import Path

import pytest

from benchwright import errors
from benchwright.errors import BenchwrightError
from tools.source import PACKAGE, below, parse, python_files

# Errors that other software expects under these names: Inspect's sandbox and hook contracts, typer,
# pydantic's validators, and Python's own protocols.
FOREIGN = {
    *("TimeoutError", "FileNotFoundError", "IsADirectoryError", "PermissionError"),
    *("UnicodeDecodeError", "OutputLimitExceededError", "NotImplementedError"),
    *("KeyboardInterrupt", "SystemExit", "StopIteration", "StopAsyncIteration"),
    *("AttributeError", "Exit", "OSError", "ConnectionError", "SandboxUserUnsupportedError"),
    # The audit imports nothing of benchwright, errors included; whoever calls it translates this.
    "UnusableInput",
}


def family(kind: type[BenchwrightError] = BenchwrightError) -> list[type[BenchwrightError]]:
    return [kind, *(deep for below_it in kind.__subclasses__() for deep in family(below_it))]


OWN = [kind for kind in family() if kind.__module__ == errors.__name__]


def drawn() -> set[str]:
    """Class names of the docstring's tree."""
    return set(re.findall(r"^ +(?:[├└]── )?([A-Z]\w+Error)\b", errors.__doc__ or "", re.M))


@pytest.mark.parametrize("kind", OWN)
def test_an_error_carries_its_four_parts_in_one_line(kind: type[BenchwrightError]) -> None:
    error = kind("no such\nthing", value="spoon", where="drawer", hint="Use\na fork.")
    assert str(error) == "no such thing: 'spoon' (drawer). Use a fork."


@pytest.mark.parametrize("kind", OWN)
def test_an_error_survives_the_way_between_processes(kind: type[BenchwrightError]) -> None:
    error = kind("no such thing", value=("a", 1), where="drawer", hint="Use a fork.")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert (again.problem, again.value, again.where, again.hint) == error.args
    assert str(again) == str(error)


@pytest.mark.parametrize("kind", OWN)
@pytest.mark.parametrize("left_out", ["value", "where", "hint"])
def test_no_part_can_be_left_out(kind: type[BenchwrightError], left_out: str) -> None:
    parts = {"value": 1, "where": "here", "hint": "Do this."}
    del parts[left_out]
    with pytest.raises(TypeError, match=left_out):
        kind("problem", **parts)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", OWN)
def test_every_error_has_its_own_docstring(kind: type[BenchwrightError]) -> None:
    assert "__doc__" in vars(kind) and kind.__doc__


def test_a_long_value_is_cut_in_the_line_and_kept_in_the_error() -> None:
    error = BenchwrightError("too long", value="x" * 10_000, where="here", hint="Shorten it.")
    assert len(str(error)) < 250
    assert len(str(error.value)) == 10_000


def test_the_tree_in_the_docstring_draws_the_whole_family() -> None:
    assert drawn() == {kind.__name__ for kind in OWN}


def test_no_other_module_adds_to_the_family() -> None:
    names = {kind.__name__ for kind in OWN}
    strangers = [
        f"{below(path)}: {node.name}"
        for path in python_files(PACKAGE)
        if path.stem != "errors"
        for node in ast.walk(parse(path))
        if isinstance(node, ast.ClassDef)
        and {ast.unparse(b).split(".")[-1] for b in node.bases} & names
    ]
    assert strangers == []


@cache
def handled(folder: Path) -> set[str]:
    """Names of errors that a folder catches itself, as around the hooks of a parser."""
    nodes = [node for path in sorted(folder.glob("*.py")) for node in ast.walk(parse(path))]
    kinds = [node.type for node in nodes if isinstance(node, ast.ExceptHandler)]
    return {n.id for kind in kinds if kind for n in ast.walk(kind) if isinstance(n, ast.Name)}


def raised(tree: ast.Module) -> list[tuple[int, str]]:
    """Line and class name of every `raise Something(...)`."""
    calls = [
        (node.lineno, ast.unparse(node.exc.func).split(".")[-1])
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
    ]
    return [(line, name) for line, name in calls if name[0].isupper()]


@pytest.mark.parametrize("path", python_files(PACKAGE), ids=below)
def test_only_the_family_leaves_a_folder(path: Path) -> None:
    allowed = {kind.__name__ for kind in OWN} | FOREIGN | handled(path.parent)
    assert [found for found in raised(parse(path)) if found[1] not in allowed] == []
