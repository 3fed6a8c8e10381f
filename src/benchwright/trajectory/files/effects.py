"""What one answered call did to files: a list of `Effect`s. Knows no history.

Takes a call and its result; gives effects in order. Evidence is used strongest first: the
structured result of the tool (text before and after), the call's own full text, its edit, its
patch, and for shell commands what the script says. A call that failed, was refused or was never
answered changes nothing, but a shell command that failed may have come some way.
facts: log_formats 2.3, 13.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from benchwright.trajectory.events import Call, Result
from benchwright.trajectory.files.patches import Hunk, apply_structured, parse_patch
from benchwright.trajectory.tools import argument

Kind = Literal[
    "write",
    "append",
    "edit",
    "patch",
    "diff",
    "delete",
    "move",
    "copy",
    "seen",
    "opaque",
    "touch",
    "link",
    "nothing",
]


@dataclass(frozen=True, slots=True)
class Program:
    """A program that ran: by its text, or by the file that holds it."""

    language: str
    """python, bash, sh, other; "" where only its file can tell."""
    code: str | None = None
    path: str | None = None
    """Neither `code` nor `path`: a program that the log does not hold."""
    folder: str | None = None
    """Where it ran; None where the log does not say."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One change of one file, or one thing learnt about it."""

    kind: Kind
    path: str | None
    """As the log names it; None for an opaque writer that names no path."""
    text: str | None = None
    """write: the whole text; append: what is added; seen: the whole text as it was read."""
    base: str | None = None
    """The whole text before the change, where the log states it."""
    edits: tuple[Edit, ...] = ()
    hunks: tuple[Hunk, ...] = ()
    diff: str | None = None
    to: str | None = None
    """move, copy: the other path."""
    certain: bool = True
    """False where it may not have happened."""
    names: str = ""
    """opaque: words in which names of files are looked for."""
    everything: bool = False
    """opaque: can change any file below the working folder (a formatter, git checkout)."""
    why: str = ""
    program: Program | None = None
    """opaque: what ran; its text tells more of what it can have changed."""
    lasting: bool = False
    """opaque: it may still be writing, whatever stands behind it in the log."""
    crossed: bool = False
    """`path` was shortened by `..`: behind a link that leads elsewhere."""
    creates: bool = False
    """write: only where the file was absent or empty; else nobody can tell."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `old` by `new`: once, all of them, or exactly `count` times."""

    old: str
    new: str
    count: int | None = 1
    """None: all of them."""


def tool_effects(call: Call, result: Result | None) -> tuple[Effect, ...]:
    """Effects of a call that is not a shell command."""
    path = argument(call.arguments, "path")
    named = path if isinstance(path, str) else None
    if call.kind == "read" and (result is None or result.status not in ("ok", "unknown")):
        return ()
    if result is None or result.status == "missing":
        return (Effect("opaque", named, certain=False, names=named or "", why="never answered"),)
    if result.status in ("failed", "refused"):
        return (Effect("nothing", named, why=result.status),)
    structured = result.structured if isinstance(result.structured, Mapping) else {}
    certain = result.status == "ok"
    found = tuple(_from_structure(structured, call)) or tuple(_from_call(call))
    return tuple(_uncertain(effect) if not certain else effect for effect in found)


def _uncertain(effect: Effect) -> Effect:
    return replace(effect, certain=False, why="the log does not say whether it succeeded")


def _from_structure(twin: Mapping[str, Any], call: Call) -> Iterator[Effect]:
    """Texts before and after, as the tool itself states them."""
    path = _text(twin, "filePath", "filepath") or _text(call.arguments, *_PATHS)
    if isinstance(twin.get("changes"), Mapping):
        yield from _changes(twin["changes"])
        return
    whole = twin.get("file") if isinstance(twin.get("file"), Mapping) else None
    if whole is not None and call.kind == "read":
        yield from _read(whole)
        return
    pair = twin.get("filediff") if isinstance(twin.get("filediff"), Mapping) else twin
    before = _text(twin, "originalFile", "originalFileContents", "originalContent", "before")
    before = before if before is not None else _text(pair, "before")
    after = _text(twin, "newContent", "after") if call.kind in ("write", "edit", "patch") else None
    after = after if after is not None else _text(pair, "after")
    if path is None or call.kind not in ("write", "edit", "patch"):
        return
    if after is None and call.kind == "write":
        after = _text(twin, "content")
    if after is None and before is not None and call.kind == "edit":
        after = _edited(before, twin, call)
    if after is not None:
        yield Effect("write", path, after, base=before)
    elif before is not None:
        yield Effect("opaque", path, names=path, why="the change does not fit its own base text")


def _edited(before: str, twin: Mapping[str, Any], call: Call) -> str | None:
    """The text after an edit. A person may have changed it: then only the patch tells."""
    hunks = twin.get("structuredPatch")
    if isinstance(hunks, list) and hunks:
        patched = apply_structured(before, [h for h in hunks if isinstance(h, Mapping)])
        if patched is not None or twin.get("userModified") is True:
            return patched
    if twin.get("userModified") is True:
        return None
    return apply_edits(before, _edits({**twin, **call.arguments}))


def _changes(changes: Mapping[str, Any]) -> Iterator[Effect]:
    for path, change in changes.items():
        if not isinstance(change, Mapping):
            continue
        moved = _text(change, "move_path")
        kind = change.get("type") or next(iter(change), None)
        body = change if "type" in change else change.get(kind, {})
        body = body if isinstance(body, Mapping) else {}
        if kind == "add" and _text(body, "content") is not None:
            yield Effect("write", path, _text(body, "content"))
        elif kind == "update" and _text(body, "unified_diff") is not None:
            yield Effect("diff", path, diff=_text(body, "unified_diff"))
        elif kind == "delete":
            yield Effect("delete", path)
        else:
            yield Effect("opaque", path, names=path, why="the log names the change, not its text")
        moved = moved or _text(body, "move_path")
        if moved:
            yield Effect("move", path, to=moved)


def _read(file: Mapping[str, Any]) -> Iterator[Effect]:
    path, text = _text(file, "filePath"), _text(file, "content")
    whole = file.get("startLine") in (1, None) and file.get("numLines") == file.get("totalLines")
    if path is None or text is None or not whole or not file.get("totalLines"):
        return
    if all(len(line) < _CUT_LINE for line in text.split("\n")):
        yield Effect("seen", path, text)


def _from_call(call: Call) -> Iterator[Effect]:
    arguments = call.arguments
    path = argument(arguments, "path")
    path = path if isinstance(path, str) else None
    if call.kind == "patch":
        yield from _patch(arguments)
    elif path is None:
        return
    elif call.kind == "write":
        content = argument(arguments, "content")
        if isinstance(content, str):
            yield Effect("write", path, content)
    elif call.kind == "edit":
        yield from _edit_call(arguments, path)
    elif call.kind == "notebook":
        yield Effect("opaque", path, names=path, why="a notebook cell was changed")


def _edit_call(arguments: Mapping[str, Any], path: str) -> Iterator[Effect]:
    command = arguments.get("command")
    if command in ("create", "view"):
        text = arguments.get("file_text")
        if command == "create" and isinstance(text, str):
            yield Effect("write", path, text)
        return
    if command in ("insert", "undo_edit"):
        yield Effect("opaque", path, names=path, why=f"edited with {command}")
        return
    edits = _edits(arguments)
    if edits and edits[0].old == "" and len(edits) == 1:
        yield Effect("write", path, edits[0].new, creates=True)
    elif edits:
        yield Effect("edit", path, edits=edits)


def _patch(arguments: Mapping[str, Any]) -> Iterator[Effect]:
    for name in ("input", "patch", "patchText", "text"):
        if isinstance(arguments.get(name), str):
            yield from patch_effects(arguments[name])
            return
    changes = arguments.get("changes")
    for change in changes if isinstance(changes, list) else ():
        path = _text(change, "path") if isinstance(change, Mapping) else None
        if path is None:
            continue
        if change.get("kind") == "delete":
            yield Effect("delete", path)
        else:
            yield Effect("opaque", path, names=path, why="the log names the change, not its text")


def patch_effects(text: str) -> Iterator[Effect]:
    """Effects of a `*** Begin Patch` text."""
    for file in parse_patch(text):
        if file.action == "add":
            yield Effect("write", file.path, file.text)
        elif file.action == "delete":
            yield Effect("delete", file.path)
        elif file.hunks:
            yield Effect("patch", file.path, hunks=file.hunks)
        if file.moved_to:
            yield Effect("move", file.path, to=file.moved_to)


_CUT_LINE = 2000
"""Characters of a line from which readers cut it: what they show is not the file then."""
_PATHS = ("file_path", "filePath", "path", "notebook_path", "absolute_path")


def _edits(arguments: Mapping[str, Any]) -> tuple[Edit, ...]:
    several = arguments.get("edits")
    parts: Sequence[Any] = several if isinstance(several, list) else [arguments]
    found = []
    for part in parts:
        if not isinstance(part, Mapping):
            return ()
        old = _text(part, "old_string", "oldString", "old_str")
        new = _text(part, "new_string", "newString", "new_str")
        if old is None or new is None:
            return ()
        found.append(Edit(old, new, _count(part)))
    return tuple(found)


def _count(part: Mapping[str, Any]) -> int | None:
    if any(part.get(name) is True for name in ("replace_all", "replaceAll", "allow_multiple")):
        return None
    expected = part.get("expected_replacements")
    return expected if isinstance(expected, int) and not isinstance(expected, bool) else 1


def apply_edits(text: str, edits: Sequence[Edit]) -> str | None:
    """`text` edited; None where an old text does not occur as often as the edit needs."""
    if not edits:
        return None
    for edit in edits:
        if edit.old == text == "":
            text = edit.new
            continue
        found = text.count(edit.old) if edit.old else 0
        if not found or (edit.count is not None and found != edit.count):
            return None
        text = text.replace(edit.old, edit.new)
    return text


def _text(values: Any, *names: str) -> str | None:
    for name in names:
        if isinstance(values, Mapping) and isinstance(values.get(name), str):
            return str(values[name])
    return None
