"""Runs that end on the promise of work to come. facts: arft 10.9, 9 (X.8)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.story import Act, Story
from benchwright.diagnosis.screen.words import sentences

_OWN = (
    r"(?:I(?:'ll| will|'m going to| am going to| plan to| shall)|we(?:'ll| will|"
    r" are going to)|let me|"
    r"I(?:'m| am) (?:now )?(?:waiting|monitoring|watching|polling|standing by|leaving)|"
    r"I start\b[^.]*\band will|"
    r"we(?:'re| are) (?:now )?(?:waiting|monitoring))"
)
_WORK = (
    r"(?:check|report|update|continue|wait|come back|return|monitor|resume|finali[sz]e|collect|"
    r"analy[sz]e|write|produce|compute|evaluate|validate|repeat|summari[sz]e|post|deliver|"
    r"fill|finish|"
    r"complete|follow up|get back|pick (?:this|it) up|look (?:at|in)|read|re-?run|run|"
    r"launch|add|append|"
    r"save|tally|aggregate|compile|send|share|plot|generate|inspect|revisit|proceed|wrap|notify|"
    r"let you know|merge|bring|put|start|train|test|implement|create|fix|build)"
)
_PROMISE = re.compile(
    rf"\b{_OWN}\b(?:[^.!?\n]|\.\w){{0,160}}?\b{_WORK}\w*\b|\band (?:then )?will {_WORK}\b",
    re.IGNORECASE,
)
_NEXT = re.compile(
    rf"\b(?:next|now|then|after (?:that|this))\b,? (?:{_OWN})\b|\b{_OWN}\b[^.!?]*\b(?:next|"
    rf"now|then)\b",
    re.IGNORECASE,
)
_PENDING = re.compile(
    r"\b(?:still (?:running|training|computing|in progress|executing|going|processing)|"
    r"(?:is|are|now) (?:currently )?(?:running|training|executing|computing|in progress|queued|"
    r"under ?way|launched|processing)(?: in the background)?|in the background|"
    r"once (?:it|they|the|this|that|all)\b[^.!?]{0,80}\b(?:finish|complete|done|end|converge|land|"
    r"return|ready|available|over)\w*|when (?:it|they|the|this|"
    r"that)\b[^.!?]{0,80}\b(?:finish|complete|done|"
    r"end|ready|return|land|over)\w*|after (?:it|the|this)\b[^.!?]{0,60}\b(?:finish|complete)\w*|"
    r"(?:as soon as|until|when|once)\b[^.!?]{0,80}\b(?:finish|complete|done|end|ready|"
    r"return|land|available|"
    r"over|through|back|free|is in|has run)\w*|under ?way|(?:is|are) being (?:computed|"
    r"processed|trained)|"
    r"gets? (?:completed|updated|filled)|half an hour|"
    r"waiting (?:for|on)|will (?:be notified|take (?:about|around|roughly|another|~)|"
    r"finish in|complete in|"
    r"appear|land|be (?:ready|available|written|filled|updated)|be done)|ETA\b|"
    r"minutes? (?:left|remaining)|"
    r"hours? (?:left|remaining)|wake(?:s|-| )?up|next (?:check|poll)|check(?:ing)? back|shortly|"
    r"in (?:a few|about|roughly|~?\d+) (?:more )?(?:minutes?|hours?))\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:if you|let me know|would you like|want me to|happy to|feel free|should you|on request|"
    r"upon request|you can|you may|you could|you should|your|please|next steps?|future work|"
    r"recommend\w*|could be|in a follow-up|I can\b|we can\b)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had been|used to be|ran|waited|finished|completed|"
    r"has (?:now )?(?:finished|completed))\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"^(?:now )?(?:waiting (?:for|on)|monitoring)\b|\bwill be notified\b", re.IGNORECASE
)
_GOES_ON = re.compile(
    r"\b(?:is|are) (?:still )?being \w+ed\b.*\bwhen\b|\bgets? (?:completed|updated|filled)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"]{4,}\"|“[^”]{4,}”|`[^`]+`")
_LAUNCH = re.compile(
    r"\bnohup\b|&\s*(?:echo|disown|$)|\bsbatch\b|\btmux\b|\bscreen -d", re.MULTILINE
)


def background_promise(story: Story) -> Iterator[Found]:
    """Of the last words of the agent, where no call follows them but one that starts a job."""
    last = story.last_words() or _before_launch(story)
    if last is None or last.call is not None or not any(True for _ in story.calls()):
        return
    told = [s for s in sentences(last.text)][-8:]
    plain = [_QUOTED.sub("…", s) for s in told]
    kept = [(s, p) for s, p in zip(told, plain, strict=True) if not _OFFER.search(p)]
    for sentence, bare in kept:
        own, pending = _own(bare), _PENDING.search(bare)
        ends = sentence is told[-1] and own and _NEXT.search(bare)
        if not ends and (pending is None or (_PAST.search(bare) and not own)):
            continue
        if own or _ENDS.search(bare) or _unfinished([p for _, p in kept]) or _GOES_ON.search(bare):
            yield Found(
                f"the run ends on work that is still to come: {sentence[:150]!r}",
                (story.at(last, _as_written(last.text, sentence)),),
            )
            return


def _before_launch(story: Story) -> Act | None:
    """The last words, where a single call follows them and starts a job that nothing waits for."""
    if (
        len(story.acts) > 1
        and story.acts[-1].call is not None
        and _LAUNCH.search(story.acts[-1].command)
    ):
        before = story.acts[-2]
        return before if before.who == "agent" and before.call is None else None
    return None


def _own(sentence: str) -> bool:
    return _PROMISE.search(sentence) is not None


def _unfinished(told: list[str]) -> bool:
    """Whether the last words together promise something and say that work goes on."""
    whole = " ".join(told[-8:])
    return _own(whole) and _PENDING.search(whole) is not None


def _as_written(text: str, sentence: str) -> str:
    """The first words of the sentence as they stand in the text."""
    words = sentence.split()[:12]
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return found.group()[:150] if found else sentence[:60]
