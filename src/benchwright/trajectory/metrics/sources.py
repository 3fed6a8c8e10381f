"""A Python source: its statements, the libraries it imports, the images it writes. Never run."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.trajectory.metrics.lists import listed

LONGEST = 120_000
"""Characters; a longer text is not parsed: a syntax tree takes some hundred times its space."""

_IMAGE = re.compile(rf"\.(?:{'|'.join(listed('image_suffixes'))})$", re.IGNORECASE)
_SAVERS = listed("savers")
_PATHS = frozenset({"fname", "filename", "file", "path", "fp", "outfile", "out"})


@dataclass(frozen=True, slots=True)
class Source:
    """What a text says; `statements` None where it does not parse as Python."""

    statements: int | None
    libraries: tuple[str, ...]
    lines: int
    """Lines of code: neither empty nor a comment alone."""
    images: tuple[str, ...]
    """Names of images that it saves, where they are literal."""


def is_image(path: str) -> bool:
    """Whether a file is a plot, by its suffix."""
    return _IMAGE.search(path) is not None


def read_source(text: str) -> Source:
    """Statement nodes of the syntax tree, nested ones too; imported top-level modules once each."""
    lines = sum(1 for line in text.splitlines() if line.strip() and line.strip()[0] != "#")
    tree = _tree(text)
    if tree is None:
        return Source(None, (), lines, ())
    nodes = list(ast.walk(tree))
    libraries = {name for node in nodes for name in _imported(node)}
    return Source(
        sum(isinstance(node, ast.stmt) for node in nodes),
        tuple(sorted(libraries)),
        lines,
        tuple(dict.fromkeys(_saved(nodes))),
    )


def _tree(text: str) -> ast.Module | None:
    if len(text) > LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
        yield node.module.partition(".")[0]


def _saved(nodes: list[ast.AST]) -> Iterator[str]:
    """Literal image names in the arguments of calls that save, also through one assignment."""
    names = {
        target.id: literal
        for node in nodes
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and (literal := _literal(node.value, {}))
    }
    for node in nodes:
        if not isinstance(node, ast.Call) or _called(node) not in _SAVERS:
            continue
        paths = [*node.args, *(word.value for word in node.keywords if word.arg in _PATHS)]
        for path in paths:
            name = _literal(path, names)
            if name is not None and is_image(name):
                yield name


def _called(node: ast.Call) -> str:
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _literal(node: ast.expr, names: dict[str, str]) -> str | None:
    """The text of a path: a literal, a name for one, `Path(...)` of one, folder / literal."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        left, right = _literal(node.left, names), _literal(node.right, names)
        return f"{left}/{right}" if left and right else right
    if isinstance(node, ast.Call) and _called(node) in ("Path", "PurePath", "str", "join"):
        parts = [_literal(part, names) for part in node.args]
        return "/".join(part for part in parts if part) if parts and parts[-1] else None
    return None
