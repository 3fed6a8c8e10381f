"""Every folder says what it is, and what it re-exports is listed completely and in order."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tools.source import PACKAGE, below, parse, python_files

# `scripts` hold programs that are copied into a sandbox, not modules of the package.
FOLDERS = sorted({p.parent for p in python_files(PACKAGE) if p.parent.name != "scripts"})
INITS = [folder / "__init__.py" for folder in FOLDERS]
FIRST_LEVEL = [p for p in INITS if p.parent.parent == PACKAGE]
MODULES = [p for p in python_files(PACKAGE) if p.name not in ("__init__.py", "__main__.py")]
SAYS = {"takes": r"\btakes?\b", "gives": r"\bgives?\b", "does not know": r"\bknow"}


def exported(tree: ast.Module) -> list[str] | None:
    """What `__all__` lists, or None where there is none."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return None


def reexported(tree: ast.Module) -> set[str]:
    """Public names that the module imports from its own package at module level."""
    return {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("benchwright")
        for alias in node.names
    }


def constants_classes_functions(name: str) -> tuple[bool, bool, str]:
    """The linter's order of `__all__`: constants, classes, functions, each by name."""
    return not name.isupper(), not name[:1].isupper(), name


def used_inside(tree: ast.Module) -> set[str]:
    """Imported names that the module only uses itself."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return reexported(tree) & used


@pytest.mark.parametrize("path", INITS, ids=below)
def test_every_folder_is_a_package_with_a_docstring(path: Path) -> None:
    assert path.is_file()
    assert ast.get_docstring(parse(path))


@pytest.mark.parametrize("path", FIRST_LEVEL, ids=below)
def test_a_first_level_folder_says_what_it_takes_gives_and_does_not_know(path: Path) -> None:
    text = (ast.get_docstring(parse(path)) or "") if path.is_file() else ""
    assert [name for name, said in SAYS.items() if not re.search(said, text, re.I)] == []


@pytest.mark.parametrize("path", MODULES, ids=below)
def test_every_module_has_a_docstring(path: Path) -> None:
    assert ast.get_docstring(parse(path))


@pytest.mark.parametrize("path", [p for p in INITS if p.is_file()], ids=below)
def test_what_a_folder_reexports_is_listed_completely_and_sorted(path: Path) -> None:
    tree = parse(path)
    listed, offered = exported(tree), reexported(tree) - used_inside(tree)
    assert offered <= set(listed or []), "re-exported but not in __all__"
    assert listed is None or listed == sorted(listed, key=constants_classes_functions)


@pytest.mark.parametrize("path", [p for p in INITS if p.is_file()], ids=below)
def test_everything_listed_is_defined(path: Path) -> None:
    tree = parse(path)
    defined = reexported(tree) | {name for node in tree.body for name in _defined(node)}
    assert set(exported(tree) or []) <= defined


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]
