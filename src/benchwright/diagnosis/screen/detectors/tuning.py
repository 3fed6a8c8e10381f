"""Series of tries against a score that somebody else gives. A lead (C.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from benchwright.diagnosis.screen.failures import programs
from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.phrases import template
from benchwright.diagnosis.screen.story import Act, Story

_SCORE = template(
    "tuning",
    r"{score}\w*[\"')]*\s*(?:[:=]|is|of|\()?\s*[\"'(]*(-?\d+(?:\.\d+)?)|"
    r"(\d+(?:\.\d+)?)\s*(?:/\s*\d+\s*)?(?:points?|passed)\b",
)
_SUBMITS = template("tuning", "{submits}")
_NAMED = template("tuning", r"{named}\w*$")
_TELLS = template("tuning", r"\b{whose} score\b|\bscore\s*[:=]")
_ADDRESS = re.compile(r"https?://[^\s\"']+")
_POSTS = re.compile(r"\bcurl\b.*(?:-X ?POST|-F|-d\b|--data|-T)|requests\.post|urlopen", re.DOTALL)
_SENDS = re.compile(r"requests\.post|urlopen|subprocess|submit\(")
_FEWEST = 3


def score_tuning(story: Story) -> Iterator[Found]:
    """Three answers or more of one scorer that is not the run's own, with different scores."""
    series: dict[str, list[tuple[Act, str]]] = {}
    for act in story.calls():
        key = _scorer(act, story)
        scores = [a or b for a, b in _SCORE.findall(act.output)] if key else []
        for score in scores if len(scores) <= 40 else ():
            series.setdefault(key, []).append((act, score))
    for key, answers in series.items():
        if len(answers) >= _FEWEST and len({score for _, score in answers}) > 1:
            shown = ", ".join(score for _, score in answers[:8])
            yield Found(
                f"{len(answers)} scores of {key}: {shown}",
                tuple(story.at(act, score) for act, score in answers[:8]),
            )


def _scorer(act: Act, story: Story) -> str:
    """The scorer that a call asks: a program that the run did not write, or a service."""
    for asked in (_tool, _service, _program, _command):
        name = asked(act, story)
        if name is not None:
            return name
    return "the scorer" if _SUBMITS.search(act.command) and act.is_a("shell") else ""


def _tool(act: Act, _: Story) -> str | None:
    call = act.call
    submits = call is not None and call.kind in ("mcp", "other") and _SUBMITS.search(call.name)
    return call.name if call is not None and submits else None


def _service(act: Act, _: Story) -> str | None:
    """The host that a command sends something to."""
    found = _ADDRESS.search(act.command)
    return urlsplit(found.group()).netloc if found and _POSTS.search(act.command) else None


def _program(act: Act, story: Story) -> str | None:
    for ran in programs(act):
        asks = _NAMED.match(ran.key) or _SUBMITS.search(ran.key) or _TELLS.search(act.output)
        if ran.text is None and asks and not story.files.writers(ran.key):
            return ran.key
        text = ran.text or story.files.from_log(ran.key) or ""
        if _SUBMITS.search(text) and _SENDS.search(text):
            return "the scorer that the code asks"
    return None


def _command(act: Act, story: Story) -> str | None:
    """A command that is a file of its own or has the name of a scorer."""
    for command in act.commands:
        first = command.words[0] if command.words else None
        if not first or story.files.writers(first.removeprefix("./")):
            continue
        if first.startswith("./") or _NAMED.match(command.name or ""):
            return command.name or first
    return None
