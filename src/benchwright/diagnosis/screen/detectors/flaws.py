"""Grave flaws that the run's own review states, with nothing changed after.

facts: arft 3.4 rule 9; 9 (F.4).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchwright.diagnosis.screen.failures import failed, programs
from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.phrases import entries, pattern, template
from benchwright.diagnosis.screen.report import Said, sayings, tells
from benchwright.diagnosis.screen.story import Act, Story
from benchwright.diagnosis.screen.words import as_written, denies, sentences, supposes

_GRAVE = pattern("flaws", "grave")
_SOLVED = pattern("flaws", "solved")
_OTHERS = pattern("flaws", "others")
_MILD = pattern("flaws", "mild")
_PLAIN = template("flaws", r"\b{plain}")
_NEGATIONS = entries("flaws", "negations")
_REVIEW = template(
    "flaws",
    r"^\s*(?:#+|\\(?:sub)*section\*?\{|\*\*)\s*(?:\d+\.?\s*|[A-G]\.\s*)?[^\n]*?\b{review}\b",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = re.compile(r"^\s*(?:#{1,6}\s|\\(?:sub)*section|\*\*[^*\n]+\*\*\s*$)", re.MULTILINE)
_WRITES = re.compile(
    r"open\([^)]*,\s*[\"'](?:w|a|x|r\+)|\.write\w*\(|\.dump\(|"
    r"to_(?:csv|json|parquet|excel|pickle)\(|save\w*\(|"
    r"\bos\.(?:remove|rename|replace)|shutil\.|subprocess|os\.system|runpy|exec\("
)
"""What a program does that leaves something."""
_WEAKEST = template("flaws", r"^{keys}\w*: ")


def flaw_named_unchanged(story: Story) -> Iterator[Found]:
    """One finding for each text with such a sentence."""
    earlier = [Said("a message", a.text, a) for a in story.words() if _after_results(story, a)]
    told = list(sayings(story))
    told += [said for said in earlier if said.act is not told[-1].act] if told else earlier
    for said in told:
        for sentence in filter(_is_grave, _of_review(said)):
            written = _written(story, said, sentence)
            if written is not None and not _changed_after(story, written):
                what = "states a grave flaw and no other artifact changed after"
                place = said.at(story, as_written(said.text, sentence))
                yield Found(f"{said.name} {what}: {sentence[:160]!r}", (place,))
                break


def _of_review(said: Said) -> Iterator[str]:
    """Sentences of sections that review; of the last words all."""
    if said.act is not None:
        yield from sentences(said.text)
        return
    if said.name.endswith("decision.json"):
        for line in said.text.split("\n"):
            if _WEAKEST.match(line):
                yield from sentences(line.partition(": ")[2])
        return
    for head in _REVIEW.finditer(said.text):
        after = _HEADING.search(said.text, head.end())
        while after and _level(after.group()) > _level(head.group()):
            after = _HEADING.search(said.text, after.end())
        yield from sentences(said.text[head.end() : after.start() if after else None])


def _after_results(story: Story, act: Act) -> bool:
    """Whether something had been computed when the words were said."""
    return any(any(programs(a)) and not failed(a) for a in story.acts[: act.number])


def _level(heading: str) -> int:
    marks = re.match(r"\s*(#+)", heading)
    if marks:
        return len(marks.group(1))
    return 7 if "**" in heading else 1 + heading.count("sub")


def _is_grave(sentence: str) -> bool:
    """Whether the sentence says of this result, as a fact, that it has such a flaw still."""
    if supposes(sentence) or _SOLVED.search(sentence) or _OTHERS.search(sentence):
        return False
    if sentence.rstrip().endswith("?") or (_MILD.search(sentence) and not _PLAIN.search(sentence)):
        return False
    for found in _GRAVE.finditer(sentence):
        first = found.group().split()[0].lower()
        if first in _NEGATIONS or not denies(sentence, found.start()):
            return True
    return False


def _written(story: Story, said: Said, sentence: str) -> int | None:
    """Number of the act that first wrote the sentence; None where the log does not show it."""
    if said.act is not None:
        return said.act.number
    words = sentence.split()
    some = re.compile(r"\\?\W+".join(map(re.escape, _bare(words)[:6])), re.IGNORECASE)
    for act in story.acts:
        if act.who == "agent" and some.search(act.typed):
            return act.number
    return None


def _bare(words: list[str]) -> list[str]:
    found = [re.sub(r"^\W+|\W+$", "", word) for word in words]
    return [word for word in found if word] or words[:1]


def _changed_after(story: Story, written: int) -> bool:
    """Whether anything but the report was written, or any program ran, after that act."""
    return any(_changes(act) for act in story.acts[written + 1 :])


def _changes(act: Act) -> bool:
    """Whether a call wrote something that is no prose, or ran a program that can have."""
    if act.is_a("python"):
        return _WRITES.search(act.command) is not None
    if act.is_a("shell") and any(r.text is None or _WRITES.search(r.text) for r in programs(act)):
        return True
    for effect in act.effects:
        if effect.kind in ("seen", "nothing", "opaque", "touch") or effect.path is None:
            continue
        if not tells(effect.path):
            return True
    return False
