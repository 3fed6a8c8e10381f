"""Rules that know their training samples by heart. facts: tracebench submissions; arft 9 (C.2)."""

from __future__ import annotations

import ast
import posixpath
import re
import warnings
from collections.abc import Iterator

from benchwright.diagnosis.screen.draws import imported
from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.memories import label_file, memories
from benchwright.diagnosis.screen.story import Story

_RULE = re.compile(
    r"(?:^|/)(?:rule|predict\w*|classif\w*|submission|detector|diagnose|infer\w*|\w*_rule|"
    r"solution)\.py$"
)
_LABELS = re.compile(
    r"^(?:y|labels?|targets?|answers?)[_-]?train\w*\.|^train[_-]?(?:labels?|y|targets?|answers?)\.|"
    r"^labels?\.",
    re.IGNORECASE,
)
_LOADS = frozenset((
    "load", "read_csv", "read_parquet", "read_json", "open", "loadtxt", "genfromtxt",
    "read_pickle", "read_text",
))  # fmt: skip


def labels_in_rule(story: Story) -> Iterator[Found]:
    """One finding for each rule, by the first way in which it knows samples."""
    for path in story.files.handed_in():
        if not _RULE.search(path.lower()):
            continue
        text = story.files.text(path) or story.files.from_log(path) or ""
        tree = _tree(text)
        known = next(_knows(tree, story), None) if tree is not None else None
        if known is not None:
            what, line = known
            quote = text.split("\n")[line - 1].strip() if line else ""
            place = story.place_of(path, quote or None)
            yield Found(f"{path} {what}", (place,))


def _tree(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _knows(tree: ast.Module, story: Story) -> Iterator[tuple[str, int]]:
    yield from memories(tree)
    for name in imported(tree):
        other = _tree(_content(story, f"{name}.py"))
        for what, _ in memories(other) if other is not None else ():
            yield f"imports {name}, which {what}", 0
    fits = any(
        isinstance(n, ast.Attribute) and n.attr in ("fit", "train", "partial_fit")
        for n in ast.walk(tree)
    )
    aside = {id(n) for node in tree.body if _is_main(node) for n in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not fits and id(node) not in aside:
            yield from _read(node, story)


def _is_main(node: ast.stmt) -> bool:
    """Whether it is what runs only when the file itself is the program."""
    return isinstance(node, ast.If) and "__main__" in ast.unparse(node.test)


def _read(node: ast.Call, story: Story) -> Iterator[tuple[str, int]]:
    """A file from samples to labels that is opened when the rule runs."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name not in _LOADS:
        return
    texts = [
        a.value for a in ast.walk(node) if isinstance(a, ast.Constant) and isinstance(a.value, str)
    ]
    for text in texts:
        own = posixpath.basename(text)
        if "." in own and (_LABELS.search(own) or label_file(_content(story, own))):
            yield f"reads labels of samples from {own} when it decides", node.lineno


def _content(story: Story, name: str) -> str:
    for path in story.files.handed_in():
        if posixpath.basename(path) == name:
            return story.files.text(path) or ""
    return story.files.from_log(name) or ""
