"""Evaluations on data that the run made itself. A lead (C.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchwright.diagnosis.screen.failures import failed, programs
from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.phrases import pattern, template
from benchwright.diagnosis.screen.story import Act, Story
from benchwright.trajectory.evidence import Evidence

_MADE = re.compile(
    r"\bmake_(?:classification|regression|blobs|moons|circles|friedman\d)\b|"
    r"\brng\.\w+\(|\bnp\.random\.\w+\(|"
    r"\brandom\.(?:gauss|uniform|choice|random|normalvariate|randint)\(|"
    r"\bdef (?:simulate|generate|synth|fake|mock)\w*|"
    r"\[\s*\(\s*[\"'][^\"']+[\"'],\s*[\"'\d][^()]*\)\s*,\s*\("
)
_MEASURED = template("own_data", r"[\"']?\b{measured}\b[\"']?\s*(?:[:=(\]]|,)")
_READS = re.compile(
    r"\bread_(?:csv|parquet|json|excel|hdf|table|fwf|feather)\s*\(|"
    r"\bloadtxt\b|\bgenfromtxt\b|\bnp\.load\b|\bload_\w+\(|"
    r"\bopen\(\s*[\"'][^\"']+[\"']\s*(?:\)|,\s*[\"']r)|\bfetch_\w+\(|\bDictReader\b"
)
_ASKED = pattern("own_data", "asked")


def own_synthetic_data(story: Story) -> Iterator[Found]:
    """The first program of that kind; none where the task asks for made data."""
    if any(_ASKED.search(act.text) for act in story.task()):
        return
    for act in story.calls("shell", "python"):
        if failed(act):
            continue
        for ran in programs(act):
            text = ran.text if ran.text is not None else story.files.from_log(ran.key)
            made = _makes(text) if text else None
            if made is not None:
                label = ran.key if ran.text is None else "inline code"
                says = f"{label} makes its data and measures on them"
                yield Found(says, (_place(story, act, ran.key, made),))
                return


def _makes(text: str) -> str | None:
    """What a program draws that measures something and reads nothing; a test of code is none."""
    made = _MADE.search(text)
    if made is None or _READS.search(text) or "def test_" in text or "assert " in text:
        return None
    return made.group() if _MEASURED.search(text) else None


def _place(story: Story, act: Act, key: str, quote: str) -> Evidence:
    writers = story.files.writers(key)
    own = story.acts[writers[-1]] if writers else act
    return story.at(own, quote if quote in own.typed else None)
