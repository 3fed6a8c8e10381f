"""Sources that the report cites and that nothing in the run ever showed. facts: arft 3.4 rule 8."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.report import Said, echoes, sayings
from benchwright.diagnosis.screen.story import Act, Story
from benchwright.trajectory.searches import Searches

_DOI = re.compile(
    r"\b10\.\d{4,9}/[^\s\"'<>{}|\\^`\])]+(?:\([^\s()]*\)[^\s\"'<>{}|\\^`\])]*)?", re.IGNORECASE
)
_ARXIV = re.compile(
    r"(?:arxiv(?:\.org/(?:abs|pdf|html)/|[:\s]\s?)|10\.48550/arxiv\.)"
    r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?",
    re.IGNORECASE,
)
_PMID = re.compile(
    r"\bPMID\s*:?\s*(\d{4,9})\b|pubmed\.ncbi\.nlm\.nih\.gov/(\d{4,9})", re.IGNORECASE
)
_URL = re.compile(r"https?://[^\s\"'<>{}|\\^`\])]+", re.IGNORECASE)
_NO_SOURCE = re.compile(
    r"^(?:localhost|127\.|0\.0\.0\.0|\[::1\]|example\.(?:com|org)|creativecommons\.org|"
    r"opensource\.org|docs\.|[\w-]+\.readthedocs\.io|.*\.local$|.*\.example$)"
)
_KNOWN_HOSTS = re.compile(
    r"(?:^|\.)(?:arxiv\.org|doi\.org|pubmed\.ncbi\.nlm\.nih\.gov|(?:img\.)?shields\.io)$"
)
_NAMES_ONE = re.compile(r"^(?!utm_|ref|source|fbclid|gclid)\w+=.*\d{3}")
"""A part of a query that names a record, not the way to it."""
_MOST = 8


@dataclass(frozen=True, slots=True)
class Cited:
    """One identifier, as it is written and as it is looked for."""

    text: str
    key: str


def citation_unseen(story: Story) -> Iterator[Found]:
    """Of a run that did retrieve."""
    if story.partial:
        return
    got = [act for act in _retrievals(story) if act.output.strip() and not _went_wrong(act)]
    if got:
        yield from _unseen(story, "no retrieval, file or task text showed it")


def citation_without_retrieval(story: Story) -> Iterator[Found]:
    """Of a run that looked nothing up."""
    if all(_went_wrong(act) for act in _retrievals(story)) and any(True for _ in story.calls()):
        yield from _unseen(story, "the run retrieved nothing")


def _unseen(story: Story, why: str) -> Iterator[Found]:
    shown = _shown(story)
    for said in sayings(story):
        unseen = [c for c in cited(said.text) if not _stands(c, shown)]
        yield from _found(story, said, unseen, why)


def cited(text: str) -> Iterator[Cited]:
    """Identifiers of sources, each once: DOI, arXiv, PMID, and addresses that are none of these."""
    seen: set[str] = set()
    for one in _all(text):
        if one.key and one.key not in seen:
            seen.add(one.key)
            yield one


def _all(text: str) -> Iterator[Cited]:
    for found in _ARXIV.finditer(text):
        yield Cited(found.group(), found.group(1).lower())
    for found in _DOI.finditer(text):
        key = _trimmed(unquote(found.group())).lower()
        if "arxiv." not in key:
            yield Cited(_trimmed(found.group()), key)
    for found in _PMID.finditer(text):
        yield Cited(found.group(), found.group(1) or found.group(2))
    for found in _URL.finditer(text):
        url = _trimmed(found.group())
        try:
            parts = urlsplit(url)
        except ValueError:
            continue
        host = (parts.hostname or "").removeprefix("www.")
        path = unquote(parts.path).rstrip("/")
        if not path or _NO_SOURCE.match(host) or _KNOWN_HOSTS.search(host):
            continue
        query = "&".join(q for q in parts.query.split("&") if _NAMES_ONE.search(q))
        yield Cited(url, f"{host}{path}{'?' + query if query else ''}".lower())


def _trimmed(text: str) -> str:
    text = text.rstrip(".,;:!?*_~")
    while text.endswith(")") and text.count("(") < text.count(")"):
        text = text[:-1].rstrip(".,;:")
    return text


def _stands(one: Cited, shown: str) -> bool:
    at = shown.find(one.key)
    while at >= 0:
        after = shown[at + len(one.key) : at + len(one.key) + 1]
        if not after.isdigit():
            return True
        at = shown.find(one.key, at + 1)
    return False


def _shown(story: Story) -> str:
    """Everything that was shown to the agent, and files that it did not write itself."""
    texts: list[str] = []
    for act in story.acts:
        if act.call is None:
            texts += [act.text] if act.who != "agent" else []
            continue
        texts.append("" if echoes(act, story) else act.output)
        if act.is_a("fetch", "shell", "python") and act.output and not _went_wrong(act):
            texts += re.findall(r"https?://[^\s\"'<>]+", act.typed)
    for path in story.files.left:
        if not story.files.writers(path) and not path.lower().endswith((".md", ".tex")):
            texts.append(story.files.text(path) or "")
    text = unquote("\n".join(texts).replace("\\/", "/")).lower()
    joined = re.sub(r"-?\s+", "", text)  # identifiers can be broken over two lines
    return f"{text}\n{joined}"


def _went_wrong(act: Act) -> bool:
    status = act.result.status if act.result else "missing"
    start = act.output.lstrip()[:200].lower()
    wrong = re.match(
        r"(?:error|http (?:error )?[45]\d\d|[45]\d\d |could not|failed|not found)", start
    )
    return status in ("failed", "refused", "missing") or wrong is not None


def _retrievals(story: Story) -> Iterator[Act]:
    """Calls that look something up outside."""
    fold = Searches()
    for act in story.calls():
        assert act.call is not None
        fold.see(act.call)
        if act.result is not None:
            fold.see(act.result)
    fold.end()
    wanted = {search.call_id for search in fold.searches}
    return (a for a in story.calls() if a.call is not None and a.call.call_id in wanted)


def _found(story: Story, said: Said, unseen: list[Cited], why: str) -> Iterator[Found]:
    if unseen:
        names = ", ".join(one.text for one in unseen[:_MOST])
        places = tuple(said.at(story, one.text) for one in unseen[:_MOST])
        yield Found(f"{said.name} cites {names}: {why}", places)
