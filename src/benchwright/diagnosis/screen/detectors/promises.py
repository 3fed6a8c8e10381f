"""Runs that end on the promise of work to come. facts: arft 10.9, 9 (X.8).

A promise is a sentence of the last words in which the agent announces work of its own, and the same
sentence or the one before it says that something has to happen first. An offer, advice to a reader,
a denial and what is quoted are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.story import Act, Story
from benchwright.diagnosis.screen.words import sentences

_WORK = (
    r"(?:check|report|updat|continu|wait|come back|return|monitor|resum|finali[sz]|"
    r"collect|analy[sz]|"
    r"writ|produc|comput|evaluat|validat|repeat|summari[sz]|post|deliver|fill|finish|"
    r"complet|follow|"
    r"get back|pick (?:this|it) up|look (?:at|in|again)|read|re-?run|run|launch|add|"
    r"append|sav|tally|"
    r"aggregat|compil|send|share|plot|generat|inspect|revisit|proceed|wrap|notif|let you know|merg|"
    r"bring|put|start|train|test|implement|creat|fix|build|fetch|replac|compar|set|note|decid|poll|"
    r"go on|carry on|be back|have (?:the|a|it)|keep|stay|stand by|be (?:notified|told)|"
    r"extract|download|transfer|commit|push|"
    r"verif|pull|draw)"
)
_FUTURE = (
    r"(?:I(?:['’]ll| will| am going to|['’]m going to| plan to| shall| intend to| expect)|"
    r"we(?:['’]ll| will| are going to|['’]re going to| expect)|let me|let us|let['’]s)"
)
_OWN = re.compile(
    rf"\b{_FUTURE}\b(?! not\b)(?:[^.!?\n]|\.\w){{0,170}}?\b{_WORK}\w*|"
    rf"^(?:I|we)\b[^.!?]*\band (?:then )?will {_WORK}\w*|"
    r"\bI(?:['’]m| am) (?:now )?(?:waiting|monitoring|watching|polling|standing by|leaving)\b|"
    r"^(?:now |currently )?(?:back|checking|waiting (?:for|on|until)|polling|standing by|"
    r"more|continuing|resuming|"
    r"will (?:check|report|update|post|continue))\b(?!.*\byou\b)|^(?:afterwards|then|next|"
    r"after that)\s*[:,]",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"\b(?:results?|outputs?|numbers?|figures?|metrics?|estimates?|"
    r"tables?) will be (?:available|ready|"
    r"there|in place)\b[^.!?]*\b(?:in|after|once|when|as soon as|by)\b|"
    r"\b(?:will|are to|is to|gets?|to) (?:then )?(?:be )?(?:filled|added|entered|updated|completed|"
    r"replaced|reported|written|computed|evaluated|appended|inserted|included|merged|"
    r"posted)\b[^.!?]*"
    r"\b(?:after|once|when|as soon as)\b|"
    r"\b(?:after|once|when|as soon as)\b[^.!?]*\b(?:will|are to|is to|gets?) (?:then )?(?:be )?"
    r"(?:filled|added|entered|updated|completed|replaced|reported|written|computed|evaluated)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"\b(?:once|when|after|afterwards|as soon as|until|before I|then|next|later|tomorrow|tonight|"
    r"overnight|shortly|soon|again|still|background|wait(?:ing)? (?:for|on|until)|waiting|"
    r"at which point|"
    r"needs? (?:another|about|most|some|a few|\d+)|in (?:a (?:bit|few|while|moment)|about|roughly|"
    r"half|an hour|~?\d+)|half an hour|(?:minutes?|hours?) (?:left|remaining)|ETA|queued|pending|"
    r"under ?way|in progress|scheduled|(?:is|are) (?:running|training|being)|so far|of \d+ epochs|"
    r"keeps? running|notified|now)\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:if you|let me know|would you like|want me to|happy to|feel free|should you|"
    r"(?:up)?on request|"
    r"you can|you may|you could|you should|you will|you['’]ll|please|next steps?|future work|"
    r"recommend\w*|could be|in a follow-up|I can\b|we can\b|if (?:wanted|needed|desired|required)|"
    r"when next year|as it is|when new|to repeat)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"]{4,}\"|“[^”]{4,}”|`[^`]+`")
_LAUNCH = re.compile(
    r"\bnohup\b|&\s*(?:echo|disown|\)|$)|\bsbatch\b|\btmux\b|\bscreen -d|\bdocker run -d|\bat now",
    re.MULTILINE,
)
_LAST = 6
"""Sentences of the last words that are read."""


def background_promise(story: Story) -> Iterator[Found]:
    """Of the last words of the agent, where no call follows them but one that starts a job."""
    last = story.last_words() or _before_launch(story)
    if last is None or last.call is not None or not any(True for _ in story.calls()):
        return
    told = list(sentences(last.text))
    plain = [_QUOTED.sub("…", sentence) for sentence in told]
    for number in range(max(0, len(told) - _LAST), len(told)):
        if _promises(plain, number):
            quote = told[number][:150]
            yield Found(
                f"the run ends on work that is still to come: {quote!r}",
                (story.at(last, _as_written(last.text, told[number])),),
            )
            return


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


def _as_written(text: str, sentence: str) -> str:
    """The first words of the sentence as they stand in the text."""
    words = sentence.split()[:12]
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return found.group()[:150] if found else sentence[:60]
