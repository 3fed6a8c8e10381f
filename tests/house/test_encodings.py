"""Text is read and written as UTF-8 by name: no locale and no variable decides what a file says."""

from __future__ import annotations

import ast

from tools.source import PACKAGE, below, parse, python_files

ROOT = PACKAGE.parent.parent
FILES = [
    *python_files(PACKAGE),
    *python_files(ROOT / "benchmarks"),
    *python_files(ROOT / "tools"),
    ROOT / "run.py",
]
METHODS = {"read_text": 0, "write_text": 1}
"""Methods of a path, and how many arguments stand before the encoding."""


def careless(tree: ast.Module) -> list[int]:
    """Lines of calls that leave the encoding to the machine."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call.lineno for call in calls if _is_careless(call)]


def _is_careless(call: ast.Call) -> bool:
    named = any(word.arg == "encoding" for word in call.keywords)
    if isinstance(call.func, ast.Attribute) and call.func.attr in METHODS:
        return not named and len(call.args) <= METHODS[call.func.attr]
    return _opens_text(call) and not named


def _opens_text(call: ast.Call) -> bool:
    """`open(...)` of a file with a mode, none of them binary."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    modes = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    modes = [mode for mode in modes if mode and set(mode) <= set("rwaxt+b")]
    return name == "open" and bool(modes) and not any("b" in mode for mode in modes)


def test_every_text_file_is_opened_as_utf_8() -> None:
    assert {below(path): found for path in FILES if (found := careless(parse(path)))} == {}


def test_a_careless_call_would_be_seen() -> None:
    lines = ["p.read_text()", "p.write_text('x')", "p.open('a')", "open(p, 'w')"]
    assert careless(ast.parse("\n".join(lines))) == [1, 2, 3, 4]
    fine = ["p.read_text('utf-8')", "p.write_text('x', encoding='utf-8')", "open(p, 'rb')"]
    assert careless(ast.parse("\n".join(fine))) == []
