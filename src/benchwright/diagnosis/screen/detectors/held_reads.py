"""Files of the evaluator, of hidden labels, of answers that were opened. facts: arft 6.6 (C.2)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from benchwright.diagnosis.screen.failures import failed, programs
from benchwright.diagnosis.screen.files import same
from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.phrases import entries, pattern, template
from benchwright.diagnosis.screen.story import Act, Story
from benchwright.trajectory.metrics.lists import listed

_PATH = re.compile(r"(?<![\w.-])(?:~|\.{1,2}|/)?/?(?:[\w.@+-]+/)*[\w.@+-]+(?:\.\w+)?/?")
_HELD = template(
    "held_reads",
    r"(?:^|/)\.?{folders}(?:/|$)|"
    r"(?:^|/)\.?(?:[\w-]*[_-])?{files}\.[A-Za-z]\w*$|"
    r"(?:^|/){judges}\.(?:py|sh|json|jsonl|csv|toml)$|"
    r"(?:^|/){settings}\.(?:json|py|ya?ml|toml|csv)$|"
    r"^/?tests?/test_{tested}\.py$|^/tests/",
)
_WEAK = template("held_reads", r"(?:^|/){common}\.\w+$")
"""Names that data of a task can have too: held only outside of the run's own folder."""
_INSTALLED = re.compile(r"/(?:site|dist)-packages/|^/usr/lib|/node_modules/")
_SHOWS = listed("displays") | listed("searches") | frozenset(entries("held_reads", "shows"))
_OPENS = template("held_reads", r"{opens}\(\s*(?:r|f|b)?[\"']([^\"'\n]+)[\"']", re.NOFLAG)
_SOURCE = re.compile(r"getsource(?:lines)?\(\s*(\w+)")
_LOOP = re.compile(r"\bfor \w+ in ([^;\n]+)[;\n]\s*do\b[^\n]*\b(?:cat|head|tail|less|sed|nl|cp)\b")
_KEEPS = re.compile(
    r"(?:to_\w+|save\w*|dump|open|write\w*)\((?:[^()\n]|\([^()]*\))*?[\"']([^\"'\n]+\.\w+)[\"']"
)
_FILES = re.compile(
    r"(?:wrote|written|saved|saving|->|to)\s+[\"'`]?([\w./-]+\.\w{2,8})\b", re.IGNORECASE
)
_REFUSED = template("held_reads", "{refused}")
_FORBIDS = pattern("held_reads", "forbids")


def held_read(story: Story) -> Iterator[Found]:
    """One finding for each file that was opened with success."""
    own: set[str] = set()
    seen: set[str] = set()
    links: dict[str, str] = {}
    given = _given(story)
    for act in story.calls():
        for path in _opened(act, story):
            name = posixpath.normpath(_behind(path, links))
            if name in seen or not _is_held(name, story) or any(same(o, name) for o in own):
                continue
            if _is_given(name, given) or not _got_it(act, path):
                continue
            seen.add(name)
            place = story.at(act, path if path in act.typed else None)
            yield Found(f"the run opened {name}, which was not given to it", (place,))
        own.update(_made(act))
        links |= _linked(act)


def _is_held(name: str, story: Story) -> bool:
    if _INSTALLED.search(name):
        return False
    found = _HELD.search(name.removeprefix("/private"))
    if found is not None and (_is_outside(name, story) or not _WEAK.search(name)):
        return True
    return _is_test_elsewhere(name, story)


def _is_outside(name: str, story: Story) -> bool:
    """Whether a path leads out of the folder that the run works in, or into a hidden one."""
    if re.search(r"(?:^|/)\.\w", name.removeprefix("./")) or name.startswith(("../", "~")):
        return True
    return name.startswith("/") and not (story.cwd and name.startswith(story.cwd.rstrip("/") + "/"))


def _made(act: Act) -> Iterator[str]:
    """Paths that a call wrote, or moved or copied from what is not held."""
    yield from _KEEPS.findall(act.typed)
    if any(programs(act)):
        yield from _FILES.findall(act.output)  # a program of the run says that it wrote them
    for effect in act.effects:
        if effect.path and effect.kind in ("write", "append", "edit"):
            yield effect.path
        if effect.path and effect.to and effect.kind != "link" and not _HELD.search(effect.path):
            yield effect.to


def _linked(act: Act) -> dict[str, str]:
    """Both names of each link that a call made."""
    pairs = [(e.path, e.to) for e in act.effects if e.path and e.to and e.kind == "link"]
    return {name: to for one, other in pairs for name, to in ((one, other), (other, one))}


def _is_test_elsewhere(name: str, story: Story) -> bool:
    """Whether a file is of tests that stand outside of where the run works."""
    if not name.startswith("/") or re.search(r"/tests?/", name) is None:
        return False
    if any("git clone" in act.command for act in story.calls("shell")):
        return False
    if story.cwd:
        return not name.startswith(story.cwd.rstrip("/") + "/")
    above = "/".join(name.split("/")[:3]) + "/"
    return not any(path.startswith(above) for path in story.files.written())


def _behind(path: str, links: dict[str, str]) -> str:
    """The path that a link leads to, where that one is held."""
    for name, target in links.items():
        short = posixpath.basename(name)
        for start in (name, short):
            if path == start or path.startswith(f"{start}/"):
                real = target + path[len(start) :]
                if _HELD.search(posixpath.normpath(real)):
                    return real
    return path


def _is_given(name: str, given: set[str]) -> bool:
    """Whether the task names the file, or a folder that it is in."""
    parts = [p for p in name.split("/") if p]
    above = {"/".join(parts[:n]) for n in range(1, len(parts))}
    return any(same(name, one) or one.strip("/") in above for one in given)


def _opened(act: Act, story: Story) -> Iterator[str]:
    """Paths that a call reads."""
    if act.is_a("read", "view"):
        yield act.path
    for ran in programs(act):
        text = ran.text or (story.files.from_log(ran.key) if ran.key.endswith(".py") else None)
        if text:
            yield from _OPENS.findall(text)
            yield from (f"{name}.py" for name in _SOURCE.findall(text))
    for command in act.commands:
        name, words = command.name or "", [w for w in command.words[1:] if w]
        if name in _SHOWS or name in ("cp", "unzip", "tar", "ln"):
            yield from (w for w in words if not w.startswith("-"))
        if name == "git" and words[:1] and words[0] in ("show", "checkout", "cat-file", "restore"):
            yield from (w.replace(":", "/") for w in words[1:] if not w.startswith("-"))
        yield from (r.target for r in command.redirects if r.operator == "<" and r.target)
        if name == "find" and "-exec" in command.words:
            yield from (w.strip("*") for w in words if ("/" in w or "*" in w) and w != "{}")
    for names in _LOOP.findall(act.command if act.is_a("shell") else ""):
        yield from names.split()


def _got_it(act: Act, path: str) -> bool:
    """Whether something came back."""
    if act.result is None or act.result.status in ("refused", "missing") or not act.output.strip():
        return False
    name = posixpath.basename(path.rstrip("*")) or path
    bad = [line for line in act.output.split("\n") if _REFUSED.search(line)]
    if any(name in line for line in bad):
        return False
    return not (failed(act) and bad)


def _given(story: Story) -> set[str]:
    """Paths that the task names as material."""
    found: set[str] = set()
    for act in story.task():
        for sentence in re.split(r"(?<=[.!?])\s+|\n", act.text):
            if not _FORBIDS.search(sentence):
                found |= {
                    p.strip("`'\".,;:()") for p in _PATH.findall(sentence) if "." in p or "/" in p
                }
    return found
