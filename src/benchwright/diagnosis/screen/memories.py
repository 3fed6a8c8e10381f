"""Constants of a program that belong to single samples: tables, lists and tests that recall them.

Takes a syntax tree, or the text of a file; gives what recalls and in which line. Sizes, thresholds,
prototypes of classes and tables of physics are no memories: a memory has several keys that are
names, digests or exact readings, and fewer labels than keys.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import csv
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

FEWEST = 4
"""Samples that a table must know."""
_ROWS = 8
"""Rows of readings beside as many labels; fewer can be prototypes of classes."""
_NAMED = re.compile(
    r"^(?:[-\d.|,_:;/ ]*\d{2,}[-\d.|,_:;/ ]*|(?:[A-Za-z]+[_-]?)*\d{2,}[\w.-]*|"
    r"(?=[0-9a-f-]*\d)[0-9a-f]{4,}(?:-[0-9a-f]{3,})*|"
    r".*\.(?:csv|parquet|json|npy))$",
    re.IGNORECASE,
)
_LARGEST = 1 << 20
"""Bytes that a packed constant is unpacked to."""
_NARROW = 1e-3
"""Relative width of an interval that holds one reading."""


def memories(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every memory: what the program does with it, and its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            yield from _table(node)
        elif isinstance(node, ast.List | ast.Tuple):
            yield from _pairs(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _lines(node)
        elif isinstance(node, ast.Call):
            yield from _packed(node)
        elif isinstance(node, ast.Match):
            named = [p for case in node.cases for p in ast.walk(case.pattern) if _names(p)]
            if len(named) >= FEWEST:
                yield "decides by names of samples", node.lineno
    yield from _beside(tree)
    yield from _sets(tree)
    yield from _exact(tree)


def label_file(text: str) -> bool:
    """Whether a file gives labels for names or for readings of samples."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        rows = [r for r in csv.reader(text.splitlines()[:400]) if len(r) >= 2]
        return recalls([(row[0], row[-1]) for row in rows[1:]])
    return recalls(_entries(value))


def _entries(value: Any) -> list[tuple[Any, Any]]:
    """Samples with labels, of an object or of a list of pairs or objects."""
    if isinstance(value, dict):
        return list(value.items())
    found: list[tuple[Any, Any]] = []
    for item in value if isinstance(value, list) else ():
        parts = list(item.values()) if isinstance(item, dict) else item
        if isinstance(parts, list) and len(parts) == 2:
            found.append(
                (parts[1], parts[0]) if isinstance(parts[0], str) else (parts[0], parts[1])
            )
    return found


def recalls(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether pairs are samples with labels: names, readings or lists of them, labels repeated."""
    labels = [label for sample, label in pairs if _could_be(sample) and _is_label(label)]
    return len(labels) >= FEWEST and _repeats(labels) and len(labels) >= 0.8 * len(pairs)


def _could_be(sample: Any) -> bool:
    if isinstance(sample, list):
        return len(sample) >= 2 and all(isinstance(part, int | float) for part in sample)
    if isinstance(sample, str):
        return bool(_NAMED.match(sample))
    return isinstance(sample, int | float) and (abs(sample) > 99 or sample != int(sample))


def _is_label(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"-?\d+\.\d+(?:e-?\d+)?", value) is None


def _lines(node: ast.Constant) -> Iterator[tuple[str, int]]:
    """A text with a sample and its label in each line."""
    rows = [line.split() for line in str(node.value).strip().splitlines()]
    pairs = [(row[0], row[1]) for row in rows if len(row) == 2]
    if len(pairs) == len(rows) and recalls(pairs):
        yield "holds a list of samples with their labels", node.lineno


def _packed(node: ast.Call) -> Iterator[tuple[str, int]]:
    """A packed constant that unpacks to samples with labels."""
    ways: dict[str, Callable[[str | bytes], bytes]] = {
        "b64decode": base64.b64decode,
        "b85decode": base64.b85decode,
        "a85decode": base64.a85decode,
    }
    way = ways.get(_called(node))
    text = node.args[0] if way and node.args else None
    if way is None or not isinstance(text, ast.Constant) or not isinstance(text.value, str | bytes):
        return
    try:
        data = way(text.value)
        with contextlib.suppress(zlib.error):
            data = zlib.decompressobj(47).decompress(data, _LARGEST)
        value = json.loads(data)
    except (ValueError, RecursionError):
        return
    if recalls(_entries(value)):
        yield "unpacks samples with their labels", node.lineno


def _names(node: ast.AST) -> bool:
    value = node.value if isinstance(node, ast.MatchValue) else None
    return (
        isinstance(value, ast.Constant)
        and isinstance(value.value, str)
        and bool(_NAMED.match(value.value))
    )


def _repeats(values: Sequence[Any]) -> bool:
    """Whether there are fewer labels than samples: one for each would be an encoding."""
    return len(set(values)) < len(values)


def _table(node: ast.Dict) -> Iterator[tuple[str, int]]:
    """A dict from samples to labels."""
    keys = [key for key in node.keys if key is not None]
    values = [v.value for v in node.values if isinstance(v, ast.Constant)]
    if len(keys) < FEWEST or len(values) < len(keys) or not _repeats(values):
        return
    if not all(isinstance(v, str | int) for v in values):
        return
    texts = [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
    if len(texts) == len(keys) and sum(bool(_NAMED.match(t)) for t in texts) >= 0.8 * len(texts):
        yield "holds a table from names of samples to labels", node.lineno
    elif not texts and sum(_is_reading(key) for key in keys) >= 0.7 * len(keys):
        yield "holds a table from readings of single samples to labels", node.lineno


def _is_reading(key: ast.expr) -> bool:
    """Whether a key is an exact reading or a number that only one sample has."""
    if isinstance(key, ast.Tuple):
        return any(_is_reading(part) for part in key.elts)
    if isinstance(key, ast.UnaryOp):
        return _is_reading(key.operand)
    if not isinstance(key, ast.Constant) or isinstance(key.value, bool):
        return False
    if isinstance(key.value, int):
        return abs(key.value) > 99
    return isinstance(key.value, float) and len(repr(key.value).replace(".", "").strip("0-")) >= 3


def _pairs(node: ast.List | ast.Tuple) -> Iterator[tuple[str, int]]:
    """A list of samples with their labels, whichever comes first."""
    pairs = [e for e in node.elts if isinstance(e, ast.Tuple | ast.List) and len(e.elts) == 2]
    if len(pairs) < max(FEWEST, len(node.elts)):
        return
    for label_at in (0, 1):
        labels = [_text(pair.elts[label_at]) for pair in pairs]
        samples = [pair.elts[1 - label_at] for pair in pairs]
        if any(label is None for label in labels) or not _repeats(labels):
            continue
        if all(_is_sample(sample) for sample in samples):
            yield "holds samples with their labels", node.lineno
            return


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _is_sample(node: ast.expr) -> bool:
    text = _text(node)
    if text is not None:
        return bool(_NAMED.match(text))
    if isinstance(node, ast.List | ast.Tuple):
        return len(node.elts) >= 2 and all(_number(part) is not None for part in node.elts)
    return _is_reading(node)


def _number(node: ast.expr) -> float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _number(node.operand)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    return None


def _beside(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Rows of readings, and elsewhere as many labels."""
    rows: dict[int, int] = {}
    counts: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple) and len(node.elts) >= _ROWS:
            if all(_is_sample(e) and not _text(e) for e in node.elts):
                rows.setdefault(len(node.elts), node.lineno)
            texts = [_text(e) for e in node.elts]
            if None not in texts and _repeats(texts):
                counts.add(len(texts))
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "split"
        ):
            words = (_text(node.func.value) or "").split()
            if len(words) >= _ROWS and _repeats(words):
                counts.add(len(words))
        letters = _text(node) if isinstance(node, ast.Constant) else None
        if letters and len(letters) >= _ROWS and letters.isalnum() and _repeats(letters):
            counts.add(len(letters))
    for count, line in rows.items():
        if count in counts:
            yield "holds readings of samples beside as many labels", line


def _sets(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Sets of names or digests, one for each class."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Set | ast.List | ast.Tuple) and len(node.elts) >= 3:
            exact = [e for e in node.elts if _is_reading(e) and not isinstance(e, ast.Tuple)]
            named = [e for e in node.elts if _NAMED.match(_text(e) or "")]
            whole = all(_is_long(e) for e in exact)
            if len(named) == len(node.elts) or (len(exact) == len(node.elts) and whole):
                found.append(node.lineno)
    asks = any(
        isinstance(n, ast.Compare) and any(isinstance(o, ast.In) for o in n.ops)
        for n in ast.walk(tree)
    )
    if len(found) >= 2 and asks:
        yield "holds sets of single samples, one for each class", found[0]


def _is_long(node: ast.expr) -> bool:
    """Whether it is a whole number of four digits or more."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value > 999


def _exact(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Comparisons for equality with exact readings, digests or names, each deciding a label."""
    places = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.If)
        and any(isinstance(s, ast.Return | ast.Assign) for s in node.body)
        and any(_is_exact(part) for part in ast.walk(node.test))
    ]
    if len(places) >= FEWEST - 1:
        yield "decides by exact readings or names of samples", places[0]


def _is_exact(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        close = _called(node) in ("isclose", "allclose", "startswith", "endswith")
        return close and any(_is_own(a) for a in [*node.args, *(k.value for k in node.keywords)])
    if not isinstance(node, ast.Compare):
        return False
    if any(isinstance(op, ast.Eq | ast.In) for op in node.ops):
        return any(_is_own(c) or _is_count(c) for c in [node.left, *node.comparators])
    between = [v for c in (node.left, *node.comparators) if (v := _number(c)) is not None]
    if len(between) == 2 and len(node.ops) == 2:
        return abs(between[1] - between[0]) <= _NARROW * max(map(abs, between))
    near = node.left if isinstance(node.left, ast.Call) and _called(node.left) == "abs" else None
    inner = near.args[0] if near is not None and near.args else None
    return isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub) and _is_own(inner.right)


def _is_count(node: ast.expr) -> bool:
    """Whether a whole number is that of one sample, as its number of rows."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and abs(node.value) > 99


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _is_own(node: ast.expr) -> bool:
    """Whether a constant belongs to one sample: a reading of four digits, a name, a digest."""
    if isinstance(node, ast.UnaryOp):
        return _is_own(node.operand)
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return len(node.elts) > 0 and all(_is_own(part) for part in node.elts)
    if not isinstance(node, ast.Constant):
        return False
    if isinstance(node.value, float):
        return len(repr(node.value).replace(".", "").strip("0-")) >= 4
    return isinstance(node.value, str) and len(node.value) > 3 and bool(_NAMED.match(node.value))
