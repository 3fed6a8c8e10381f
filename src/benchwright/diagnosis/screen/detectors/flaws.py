"""Grave flaws that the run's own review states, with nothing changed after.

facts: arft 3.4 rule 9; 9 (F.4).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.diagnosis.screen.failures import failed, programs
from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.report import Said, is_report, sayings
from benchwright.diagnosis.screen.story import Act, Story
from benchwright.diagnosis.screen.words import denies, sentences, supposes
from benchwright.trajectory.evidence import Evidence

_GRAVE = re.compile(
    r"\b(?:invalidate[sd]?|(?:is|are|was|were) (?:simply |plainly |therefore |in fact |actually )?"
    r"(?:wrong|invalid|incorrect|meaningless|circular|uninterpretable|unusable|unreliable|"
    r"not valid|"
    r"miscomputed|mislabel+ed|misaligned|swapped|inverted|contaminated|corrupted?|bogus|"
    r"spurious|vacuous)|"
    r"leak(?:s|ed|age|ing)?|bug(?:s|gy)?|never converged|(?:did|does|do|has|have) not converged?|"
    r"didn't converge|not converged|diverged|double[- ]count(?:s|ed|ing)?|off[- ]by[- ]one|"
    r"wrong (?:units?|sign|column|axis|formula|factor|label|labels|split|order|file|scale|"
    r"index|key)|"
    r"sign error|unit error|trained on the test|test (?:set|data|rows) (?:was|were|is|"
    r"are) (?:used|included|"
    r"seen)|fit(?:ted)? on the (?:full|whole|entire|test)|(?:overlap|"
    r"duplicates?) (?:between|across) (?:train|"
    r"the train)|tuned on the test|cannot support|does not support|not supported by|undermines?|"
    r"contradicts?|fatal(?:ly)?|breaks? the|void|artifact of|(?:swaps?|mixes) (?:up )?the|"
    r"(?:is|are|was|were) (?:therefore |plainly |thus |clearly |hence )?not (?:an? |"
    r"the )?(?:valid|right|correct|"
    r"meaningful|converged|equilibrated|usable|reliable|what (?:was|the)|(?:quantity|"
    r"energy|value|period|"
    r"effect|estimate|answer|minimum|result)\b)|no (?:meaningful|valid|longer belong\w*)|"
    r"do(?:es)? not (?:belong|exist)|"
    r"erroneous|no equilibrium|(?:is|are) nothing but|too (?:high|low|large|"
    r"small) (?:throughout|by)|"
    r"(?:the )?true \w+ is|wrong by|(?:is|are) (?:a|an) (?:harmonic|artefact|artifact|"
    r"alias|boundary)|"
    r"(?:is|are|was|were) (?:hard[- ]?coded|fabricated|made up|placeholder)|never (?:run|"
    r"ran|computed|executed)|"
    r"mis-?specified|flawed|erroneous(?:ly)?|mistake in|error in (?:the|our|my)|"
    r"ill[- ]posed|times too|must not be (?:used|trusted|cited)|inflated|says nothing about|"
    r"not an? [\w -]{2,30} at all|(?:is|are) false|trained on rows|rows it was trained on|"
    r"selected (?:by|on) the [\w ]{0,24}test|looks at the test|"
    r"(?:in|on) both (?:sides|parts|halves)|"
    r"in (?:both )?(?:the )?train(?:ing)?(?: set)? and (?:in )?"
    r"(?:the )?test|test (?:rows|set|data|part|labels) (?:chose|selected|picked)|"
    r"chosen on the test|"
    r"entere?d? as zeros?|counted twice|folded (?:away|back)|time unit|unit (?:mix-?up|error)|"
    r"is an? art[ei]fact|factor of (?:about )?(?:two|three|ten|\d+)|in another unit)\b",
    re.IGNORECASE,
)
_SOLVED = re.compile(
    r"\b(?:fixed|corrected|repaired|resolved|addressed|removed|re-?ran|re-?run|"
    r"re-?computed|re-?done|"
    r"now (?:uses?|correct|fixed|excludes?|clean)|no longer|since been|"
    r"after (?:the )?(?:fix|correction)|"
    r"(?:earlier|previous|initial|original|old|former|first) \w+|previously|initially|"
    r"first (?:version|draft|"
    r"attempt|run|pass)|"
    r"originally|(?:was|were|been|have|has) (?:checked|verified|tested)|excluded|"
    r"ruled out|guarded|handled|caught|"
    r"patched|replaced|"
    r"re-?fit(?:ted)?|superseded|discarded|dropped|switched|eliminated)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:et al|prior work|previous (?:work|stud\w+)|the (?:original )?(?:paper|authors?|"
    r"vendor|upstream|"
    r"published|library|baseline paper|reference implementation)|literature|"
    r"competitors?|"
    r"other (?:groups?|work|stud\w+)|common (?:practice|mistake|pitfall)|in general|"
    r"typically|often|"
    r"given (?:table|data|file)|catalogu?e\w*|quoted|tabulated|nominal|the task(?:'s)?|"
    r"preprint|hypothes[ie]s|expectations?|guess|assumption was|"
    r"reader|reviewers? (?:may|might|could))\b",
    re.IGNORECASE,
)
_MILD = re.compile(
    r"\b(?:future work|small sample|single (?:dataset|site|seed|season|year)|limited (?:to|data)|"
    r"generali[sz]\w+|more data|larger|external validation|not (?:tested|explored|"
    r"examined|considered)|"
    r"wide (?:confidence )?intervals?|scope|a few|no (?:visible|material|practical|"
    r"real) effect|negligible|"
    r"minor|\d+ of \d+ (?:re-?fits|bootstrap|resamples|chains|replicates))\b",
    re.IGNORECASE,
)
_REVIEW = re.compile(
    r"^\s*(?:#+|\\(?:sub)*section\*?\{|\*\*)\s*(?:\d+\.?\s*|"
    r"[A-G]\.\s*)?[^\n]*?\b(?:peer[- ]?review|self[- ]?review|review|"
    r"weakest point|critique|self[- ]?assessment|known (?:issues|problems|flaws|defects)|"
    r"caveats?|limitations?|"
    r"reviewer|referee|post[- ]?mortem|self[- ]?check|audit|errata|reflection)\b",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = re.compile(r"^\s*(?:#{1,6}\s|\\(?:sub)*section|\*\*[^*\n]+\*\*\s*$)", re.MULTILINE)
_WRITES = re.compile(
    r"open\([^)]*,\s*[\"'](?:w|a|x|r\+)|\.write\w*\(|\.dump\(|to_(?:csv|json|parquet|"
    r"excel|pickle)\(|"
    r"save\w*\(|\bos\.(?:remove|rename|replace)|shutil\.|subprocess|os\.system|runpy|exec\("
)
"""What a program does that leaves something."""
_WEAKEST = re.compile(
    r"^(?:weakest_point|what_would_change_your_mind|review|known_issues?|caveats?|"
    r"critique|self_review)\w*: ",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Flaw:
    """A sentence of a review, where it stands, and the act that wrote it."""

    sentence: str
    evidence: Evidence
    written: int


def flaw_named_unchanged(story: Story) -> Iterator[Found]:
    """One finding for each text with such a sentence."""
    earlier = [Said("a message", a.text, a) for a in story.words() if _after_results(story, a)]
    told = list(sayings(story))
    told += [said for said in earlier if said.act is not told[-1].act] if told else earlier
    for said in told:
        for sentence in _of_review(said):
            if not _is_grave(sentence):
                continue
            written = _written(story, said, sentence)
            if written is not None and not _changed_after(story, written):
                quote = _as_written(said.text, sentence)
                said_so = f"{said.name} states a grave flaw and no other artifact changed after"
                says = f"{said_so}: {sentence[:160]!r}"
                yield Found(says, (said.at(story, quote),))
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
    for found in _GRAVE.finditer(sentence):
        if denies(sentence, found.start()) and found.group().split()[0].lower() not in (
            "never",
            "did",
            "does",
            "do",
            "has",
            "have",
            "cannot",
            "not",
            "didn't",
        ):
            continue
        if supposes(sentence) or _SOLVED.search(sentence) or _OTHERS.search(sentence):
            continue
        if _MILD.search(sentence) and not re.search(
            r"\b(?:invalid|wrong|leak|bug)", sentence, re.I
        ):
            continue
        if sentence.rstrip().endswith("?"):
            continue
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
        if not is_report(effect.path) and not effect.path.endswith("decision.json"):
            return True
    return False


def _as_written(text: str, sentence: str) -> str:
    for length in (10, 6, 3):
        words = sentence.strip("-*#>| ").split()[:length]
        found = re.search(r"[ \t]+".join(map(re.escape, words)), text)
        if found:
            return found.group()
    return ""
