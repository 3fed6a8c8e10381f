"""Files that were handed in and cannot be read as what their names say. facts: arft 9 (X.8)."""

from __future__ import annotations

import json
import posixpath
import re
import sys
import warnings
from collections.abc import Iterator

from benchwright.diagnosis.screen.failures import failed
from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.story import Story
from benchwright.diagnosis.screen.words import tidy

_NOT_MEANT = re.compile(
    r"(?:^|/)(?:node_modules|site-packages|\.?venv|fixtures?|vendor|third_party|"
    r"templates?|\.vscode|"
    r"\.ipynb_checkpoints|corpus|testdata|test_data)/|(?:^|/)(?:tsconfig|jsconfig)[\w.]*\.json$|"
    r"devcontainer\.json$|\.code-workspace$|(?:invalid|malformed|broken|corrupt|bad)[\w-]*\.\w+$",
    re.IGNORECASE,
)
_NEWER = re.compile(
    r"^\s*(?:type\s+\w+|(?:async\s+)?def\s+\w+\[|class\s+\w+\[|except\s+\w+\s*,)|\bt[\"']"
)
_PLACEHOLDER = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|<<[A-Z_]+>>")


def script_broken(story: Story) -> Iterator[Found]:
    """Files that the run wrote, or that its commands name."""
    for path in story.files.handed_in():
        if not path.endswith((".py", ".json", ".ipynb")) or _NOT_MEANT.search(path):
            continue
        data = story.files.data(path)
        if data is None or not _its_own(story, path):
            continue
        problem = _problem(path, data)
        if problem and not _ran_since(story, path):
            what, line = problem
            quote = _line(data, line)
            found = story.place_of(path, quote)
            yield Found(f"{path} cannot be read: {what}", (found,))


def _its_own(story: Story, path: str) -> bool:
    """Whether the agent wrote the file, or at least named it."""
    if story.files.writers(path):
        return True
    name = posixpath.basename(path)
    return any(name in act.typed for act in story.acts if act.who == "agent")


def _problem(path: str, data: bytes) -> tuple[str, int] | None:
    if path.endswith(".py"):
        return _python(data)
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return f"no UTF-8 ({error.reason})", 1
    except json.JSONDecodeError as error:
        return f"no JSON ({error.msg}, line {error.lineno})", error.lineno
    except (ValueError, RecursionError):
        return None
    if path.endswith(".ipynb"):
        cells = value.get("cells", value.get("worksheets")) if isinstance(value, dict) else None
        if not isinstance(cells, list):
            return "no notebook (it has no cells)", 1
    return None


def _python(data: bytes) -> tuple[str, int] | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, "file", "exec", dont_inherit=True)
    except SyntaxError as error:
        line = _line(data, error.lineno or 1)
        if _undecided(error, line, data):
            return None
        return f"{type(error).__name__}: {error.msg}, line {error.lineno}", error.lineno or 1
    except ValueError as error:
        return str(error), 1
    except (RecursionError, MemoryError):
        return None
    return None


def _undecided(error: SyntaxError, line: str, data: bytes) -> bool:
    """Whether a newer Python may read it, or a program that fills it in first."""
    if _PLACEHOLDER.search(tidy(data.decode("utf-8", "replace"))):
        return True
    older = sys.version_info < (3, 12) and (
        "f-string" in str(error.msg) or re.search(r"\bf[rR]?[\"']", line)
    )
    return bool(older) or _NEWER.search(line) is not None


def _ran_since(story: Story, path: str) -> bool:
    """Whether it was used with success after it was last written."""
    if story.files.root is not None and story.files.from_log(path) != story.files.text(path):
        return False
    last = max(story.files.writers(path), default=-1)
    name = posixpath.basename(path)
    return any(
        name in act.command and act.number > last and act.result is not None and not failed(act)
        and re.search(rf"python[\d.]*\s+(?:-\w\s+)*\S*{re.escape(name)}", act.command)
        for act in story.acts
    )  # fmt: skip


def _line(data: bytes, number: int) -> str:
    lines = data.decode("utf-8", "replace").split("\n")
    return lines[number - 1] if 0 < number <= len(lines) else ""
