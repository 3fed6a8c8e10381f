"""Facts about Python source, read with `ast`: sizes, parameters, imports.

Takes paths; gives records. Imports nothing of what it reads. Line counts are those of the file;
a function runs from its `def` to its last line, its docstring included.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "benchwright"
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Size:
    """Length of one file or one function."""

    where: str
    """Path below the checkout, with `:name` for a function."""
    lines: int
    parameters: int = 0


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module, wherever in the file the import stands."""

    importer: str
    """Dotted name of the importing module."""
    imported: str
    """Dotted name of the imported module or member, relative dots resolved."""
    line: int
    top: bool
    """At module level and not only for types: executed when the module is imported."""


def python_files(folder: Path) -> list[Path]:
    """Every Python file below `folder`, sorted, caches left out."""
    return sorted(p for p in folder.rglob("*.py") if "__pycache__" not in p.parts)


def file_sizes(folder: Path) -> list[Size]:
    """Lines of each file of more than five lines (shorter ones would only flatter the median)."""
    sizes = (
        Size(below(p), len(p.read_text(encoding="utf-8").splitlines()))
        for p in python_files(folder)
    )
    return [size for size in sizes if size.lines > 5]


def function_sizes(folder: Path) -> list[Size]:
    """Every function and method below `folder`, nested ones too."""
    return [
        Size(f"{below(path)}:{node.name}", _length(node), _parameters(node))
        for path in python_files(folder)
        for node in ast.walk(parse(path))
        if isinstance(node, Function)
    ]


def imports(path: Path) -> Iterator[Import]:
    """Every import of one file of the package, inside functions and for types too."""
    importer = module_name(path)
    yield from _walk(parse(path), importer, path.name == "__init__.py", top=True)


def module_name(path: Path) -> str:
    """`benchwright.tasks.model` for its file, `benchwright.tasks` for the folder's `__init__`."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def parse(path: Path) -> ast.Module:
    """Syntax tree of one file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def below(path: Path) -> str:
    """The path as seen from the checkout."""
    return path.relative_to(ROOT).as_posix()


def _walk(node: ast.AST, importer: str, package: bool, *, top: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            for name in _imported(child, importer, package):
                yield Import(importer, name, child.lineno, top)
        else:
            inner = isinstance(child, Function | ast.Lambda) or _for_types(child)
            yield from _walk(child, importer, package, top=top and not inner)


def _imported(node: ast.Import | ast.ImportFrom, importer: str, package: bool) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = node.module or ""
    if node.level:
        parts = importer.split(".")
        kept = parts[: len(parts) - node.level + package]
        base = ".".join([*kept, *filter(None, [base])])
    return [f"{base}.{alias.name}" for alias in node.names]


def _for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _length(node: Function) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _parameters(node: Function) -> int:
    a = node.args
    named = [p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs)]
    return len([n for n in named if n not in ("self", "cls")]) + bool(a.vararg) + bool(a.kwarg)
