"""What a program that ran can have changed, by its text: effects that put files in doubt.

Takes a program whose text is known; gives opaque effects. Shell scripts are read as commands are,
Python by `python_reach`; of any other language nothing is known, so it can write any file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from benchwright.trajectory.files.effects import Effect, Program
from benchwright.trajectory.files.python_reach import python_reach
from benchwright.trajectory.files.shell_effects import shell_effects
from benchwright.trajectory.shell.commands import is_only_for_bash

_HARMLESS = re.compile(
    r"require|import|process|\bfs\b|eval|Deno|Bun|global|child|write|constructor|Function|open|"
    r"unlink|rename|system|exec|`|>|\bdo\b|File|\bIO\b|Dir|\bqx\b|sink|cat\("
)
"""Code of other languages without any of these words only computes and prints."""


def code_reach(program: Program, text: str, why: str) -> Iterator[Effect]:
    """Effects of a program with this text, none of them certain."""
    language = program.language or _language(text)
    if language in ("bash", "sh"):
        yield from _shell(program, text, why)
        return
    if language == "python":
        names = python_reach(text)
    else:
        names = None if program.path or _HARMLESS.search(text) else ()
    if names is None:
        yield Effect("opaque", None, everything=True, certain=False, why=why)
    elif names:
        yield Effect("opaque", None, names="\n".join(names), certain=False, why=why)


def _language(text: str) -> str:
    first = text.partition("\n")[0]
    if not first.startswith("#!"):
        return "sh"
    found = re.search(r"\b(python|bash|sh|dash)[\d.]*\b", first)
    return found.group(1).replace("dash", "sh") if found else "other"


def _shell(program: Program, text: str, why: str) -> Iterator[Effect]:
    ran = shell_effects(text, program.folder, failed=False, answered=True, output=None)
    if re.search(r"\b(?:cd|pushd|popd)\b", text):  # where it failed, the names mean other files
        paths = [path for e in ran.effects for path in (e.path, e.to) if path is not None]
        yield Effect("opaque", None, names="\n".join(paths), certain=False, why=why)
    for effect in ran.effects:
        if effect.kind in ("opaque", "link"):
            yield replace(effect, certain=False)
            continue
        for path in (effect.path, effect.to):
            if path is not None:
                yield replace(
                    Effect("opaque", path, names=path, certain=False, why=why),
                    crossed=effect.crossed,
                )
    if program.language != "bash" and is_only_for_bash(text):
        yield Effect("opaque", None, everything=True, certain=False, why=why)
