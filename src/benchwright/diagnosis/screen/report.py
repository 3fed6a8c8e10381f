"""What a run says of its own work: its report files, the texts of its decision, its last words."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchwright.diagnosis.screen.failures import programs
from benchwright.diagnosis.screen.phrases import template
from benchwright.diagnosis.screen.story import Act, Story
from benchwright.diagnosis.screen.words import sentences, tidy
from benchwright.trajectory.evidence import Evidence

_REPORT = template("report", r"{names}[\w.-]*\.(?:md|tex|txt|rst|markdown)$")
_PROSE = (".md", ".markdown", ".tex", ".rst")
_SOURCES = template(
    "report",
    r"^[ \t]*(?:#+[ \t]*|\\(?:sub)*section\*?\{)?(?:\d+\.?\s*)?{sources}\b[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = re.compile(r"^[ \t]*(?:#{1,6}\s|\\(?:sub)*section)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Said:
    """One text in which the run tells what it did."""

    name: str
    """Path of the file, or `last words`."""
    text: str
    act: Act | None
    """The act of last words; None for a file."""

    def at(self, story: Story, quote: str | None = None) -> Evidence:
        """A pointer to where the quote stands in it."""
        if self.act is not None:
            return story.at(self.act, quote)
        if story.files.root is not None:
            return story.in_file(self.name, quote)
        writers = story.files.writers(self.name)
        return story.at(story.acts[writers[-1]], quote)

    def prose(self) -> str:
        """Its text without fenced code and without the list of sources."""
        return without_sources(_unfenced(self.text))


def _unfenced(text: str) -> str:
    """The lines outside of fenced code."""
    kept: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~") and fence in ("", mark):
            fence = "" if fence else mark
        elif not fence:
            kept.append(line)
    return "\n".join(kept)


def sayings(story: Story) -> Iterator[Said]:
    """Report files, decision.json, last words."""
    for path in story.files.handed_in():
        name = posixpath.basename(path).lower()
        if tells(path):
            text = story.files.text(path)
            if text is None and story.files.root is None:
                text = story.files.from_log(path)
            if text:
                words = _strings_of(text) if name == "decision.json" else text
                yield Said(path, tidy(words), None)
    last = story.last_words()
    for act in story.calls("submit"):
        yield Said("last words" if act is last else "an answer", tidy(_answer(act)), act)
    if last is not None and last.call is None:
        yield Said("last words", last.text, last)


def told(story: Story) -> Iterator[str]:
    """Every sentence that the run says of its own work."""
    return (sentence for said in sayings(story) for sentence in sentences(said.text))


def is_report(path: str) -> bool:
    """Whether a file is prose about the work, by its name."""
    name = posixpath.basename(path).lower()
    return name.endswith(_PROSE) or _REPORT.search(name) is not None


def tells(path: str) -> bool:
    """Whether a file only tells of the work: a change of it changes no result."""
    return is_report(path) or posixpath.basename(path).lower() == "decision.json"


def echoes(act: Act, story: Story) -> bool:
    """Whether a call only shows again what the run itself had written in a report."""
    if act.is_a("read"):
        return _own_report(act.path, story)
    if any(programs(act)):
        return False
    words = [w for command in act.commands for w in command.words[1:] if w]
    return any(_own_report(word, story) for word in words if "." in word)


def _own_report(path: str, story: Story) -> bool:
    return tells(path) and bool(story.files.writers(path))


def without_sources(text: str) -> str:
    """The text up to its list of sources, and what follows that list."""
    found = _SOURCES.search(text)
    if found is None:
        return text
    after = _HEADING.search(text, found.end())
    return text[: found.start()] + (text[after.start() :] if after else "")


def _answer(act: Act) -> str:
    """What a call hands in, one field a line."""
    arguments = act.call.arguments if act.call is not None else {}
    return "\n".join(_leaves(dict(arguments)))


def _strings_of(text: str) -> str:
    """The texts and numbers of a JSON file, one a line."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return "\n".join(_leaves(value))


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            for leaf in _leaves(part):
                yield f"{key}: {leaf}" if not isinstance(part, dict | list) else leaf
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    elif value is not None:
        yield str(value)
