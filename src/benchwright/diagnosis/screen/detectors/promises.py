"""Runs that end on the promise of work to come. facts: arft 10.9, 9 (X.8).

A promise is a sentence of the last words in which the agent announces work of its own, and the same
sentence or the one before it says that something has to happen first. An offer, advice to a reader,
a denial and what is quoted are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.phrases import pattern, template
from benchwright.diagnosis.screen.story import Act, Story
from benchwright.diagnosis.screen.words import as_written, sentences

_OWN = template(
    "promises",
    r"\b{future}\b(?! not\b)(?:[^.!?\n]|\.\w){0,170}?\b{work}\w*|"
    r"^(?:I|we)\b[^.!?]*\band (?:then )?will {work}\w*|"
    r"\bI(?:['’]m| am) (?:now )?{busy}\b|"
    r"^(?:now |currently )?{opening}\b(?!.*\byou\b)|"
    r"^{sequence}\s*[:,](?!.*\b(?:done|finished|completed|ran|was|were)\b)",
)
_PASSIVE = template(
    "promises",
    r"\b{results} will be {ready}\b[^.!?]*\b(?:in|{condition}|by)\b|"
    r"\b(?:{is_to}|to) (?:then )?(?:be )?(?:{filled}|{inserted})\b[^.!?]*\b{condition}\b|"
    r"\b{condition}\b[^.!?]*\b{is_to} (?:then )?(?:be )?{filled}\b",
)
_FIRST = pattern("promises", "first")
_OFFER = pattern("promises", "offer")
_QUOTED = re.compile(r"\"[^\"]{4,}\"|“[^”]{4,}”|`[^`]+`")
_LAUNCH = re.compile(
    r"\bnohup\b|&\s*(?:echo|disown|\)|$)|\bsbatch\b|\btmux\b|\bscreen -d|\bdocker run -d|\bat now",
    re.MULTILINE,
)
_LAST = 6
"""Sentences of the last words that are read."""


def background_promise(story: Story) -> Iterator[Found]:
    """Of the last words of the agent, where no call follows them but one that starts a job."""
    for last in _last(story):
        found = _first_promise(story, last)
        if found is not None:
            yield found
            return


def _last(story: Story) -> Iterator[Act]:
    """The last words: what was handed in as an answer, and what was said right before that."""
    if not any(not act.is_a("submit") for act in story.calls()):
        return
    last = story.last_words() or _before_launch(story)
    if last is None:
        return
    yield last
    before = story.acts[last.number - 1] if last.call is not None and last.number else None
    if before is not None and before.who == "agent" and before.call is None:
        yield before


def _first_promise(story: Story, last: Act) -> Found | None:
    text = last.text if last.call is None else last.typed
    told = list(sentences(text))
    plain = [_QUOTED.sub("…", sentence) for sentence in told]
    for number in range(max(0, len(told) - _LAST), len(told)):
        if _promises(plain, number):
            quote = told[number][:150]
            return Found(
                f"the run ends on work that is still to come: {quote!r}",
                (story.at(last, as_written(text, told[number])),),
            )
    return None


def _promises(told: list[str], number: int) -> bool:
    sentence = told[number]
    if _OFFER.search(sentence):
        return False
    if _PASSIVE.search(sentence) and not re.search(r"\byou\b", sentence):
        return not _kept(told, number)
    if not _OWN.search(sentence):
        return False
    before = told[number - 1] if number else ""
    first = _FIRST.search(sentence) or (_FIRST.search(before) and not _OFFER.search(before))
    return first is not None and not _kept(told, number)


def _kept(told: list[str], number: int) -> bool:
    """Whether the words go on with what was announced: figures follow in the same message."""
    rest = told[number + 1 :]
    return len(rest) >= 1 and any(re.search(r"\d\.\d|\|", line) for line in rest)


def _before_launch(story: Story) -> Act | None:
    """The last words, where a single call follows them and starts a job that nothing waits for."""
    if len(story.acts) < 2 or not _LAUNCH.search(story.acts[-1].command):
        return None
    before = story.acts[-2]
    return before if before.who == "agent" and before.call is None else None
