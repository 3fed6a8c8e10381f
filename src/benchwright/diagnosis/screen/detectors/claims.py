"""Files that the run says it left and that are not there. facts: arft 9 (X.8), 10.9."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatch

from benchwright.diagnosis.screen.failures import programs
from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.phrases import pattern, template
from benchwright.diagnosis.screen.report import Said, sayings, tells
from benchwright.diagnosis.screen.story import Act, Story
from benchwright.diagnosis.screen.words import denies, sentences, supposes
from benchwright.trajectory.evidence import Evidence

_PATH = template(
    "claims",
    r"(?<![\w/.@:-])((?:~|\.{0,2}|/)?(?:[\w+.-]+/)*[\w+-][\w+.-]*\.{endings})\b(?![\w/(]|\.\w)",
    re.NOFLAG,
)
_LEFT = pattern("claims", "left")
_NOT_YET = template("claims", r"\b{not_yet}\b|^\W*{advice}\b")
_INPUT = pattern("claims", "input")
_OTHER_NAME = template("claims", r"\b{other_name}\W+\w*\W*$", re.NOFLAG)
_THEIRS = pattern("claims", "theirs")
_NAMES_LATER = re.compile(
    r"\b(?:savefig|to_(?:csv|json|parquet|excel|pickle|feather)|savetxt|imsave|"
    r"write_(?:text|bytes|html|"
    r"image)|np\.savez?\w*|torch\.save|joblib\.dump)\(\s*(?:[\w.\[\]]+\s*,\s*)?(?:f[\"']|"
    r"[A-Za-z_][\w.]*\s*[,)+/%\[(])|"
    r"\bopen\(\s*(?:f[\"']|[A-Za-z_])[^\n]*?,\s*[\"'][wax]|\.write_(?:text|bytes)\(|"
    r"os\.rename|shutil\."
)
"""A program that writes under a name that is no literal."""
_WILL = re.compile(r"\W*(?:and \S+ )?will\b")
_MAY_BE_EMPTY = re.compile(
    r"(?:^|/)(?:__init__\.py|(?:errors?|stderr|warnings?)\.(?:log|txt)|\.gitkeep)$"
)
_ELSEWHERE = ("/tmp/", "/var/", "/usr/", "/etc/", "/mnt/", "/data/", "/opt/", "/dev/", "~")
_DELIVERY = template("claims", r"^\W*{delivery}\W*$")
"""A heading or a line before a list of what was delivered."""


def claimed_file_absent(story: Story) -> Iterator[Found]:
    """Of the last words and of report files."""
    if story.partial:
        return
    for said in sayings(story):
        for path in _claimed(said):
            state = "" if _was_given(story, path) else _state(story, path)
            if state:
                yield Found(
                    f"{said.name} says of {path} that it was left; it is {state}",
                    (said.at(story, path), *_shown(story, path)),
                )


def _was_given(story: Story, path: str) -> bool:
    """Whether it is material: named by the task, or read and never written."""
    name = posixpath.basename(path)
    if story.files.writers(path):
        return False
    if any(name in act.text for act in story.task()):
        return any(name in act.output or name in act.typed for act in story.calls())
    return any(_reads(act, name) for act in story.calls())


def _reads(act: Act, name: str) -> bool:
    """Whether the call opened a file of that name with success, and only opened it."""
    if act.is_a("read", "view"):
        return act.path.endswith(name) and bool(act.output)
    if not act.is_a("shell") or not act.output or name not in act.command:
        return False
    opened = re.search(
        rf"\b(?:head|tail|cat|wc|less|cut|awk|file)\b[^|;&\n>]*{re.escape(name)}", act.command
    )
    return opened is not None and f"{name}: No such" not in act.output


def _claimed(said: Said) -> Iterator[str]:
    """Paths that are said to have been left, each once."""
    seen: set[str] = set()
    listing = False
    for sentence in sentences(said.text):
        bare = sentence.strip("#*_: ")
        if _DELIVERY.match(bare):
            listing = True
            continue
        head, colon, rest = bare.partition(":")
        if colon and _DELIVERY.match(head) and _LEFT.search(head):
            yield from _listed(rest, seen)
            continue
        item = re.match(r"(?:[-*+|]|\d+[.)])\s?", sentence) is not None
        listing = listing and item
        for found in _PATH.finditer(sentence):
            path = found.group(1).strip("`*")
            if path in seen or not (
                _is_claim(sentence, found) or (listing and _first(sentence, found))
            ):
                continue
            seen.add(path)
            yield path


def _listed(items: str, seen: set[str]) -> Iterator[str]:
    """Paths after the colon of a line such as `Files created: a.csv, b.png`."""
    for found in _PATH.finditer(items):
        path = found.group(1).strip("`*")
        if path not in seen and not _NOT_YET.search(items):
            seen.add(path)
            yield path


def _first(sentence: str, found: re.Match[str]) -> bool:
    """Whether the path is what a list item is about."""
    before = sentence[: found.start()]
    return re.search(r"[^\W\d_]", before) is None and not _NOT_YET.search(sentence)


def _is_claim(sentence: str, found: re.Match[str]) -> bool:
    """Whether the path is said to have been left: not planned, denied, read, or of others."""
    before, after = sentence[: found.start()], sentence[found.end() :]
    if not _LEFT.search(sentence) or supposes(sentence) or denies(sentence, found.start()):
        return False
    if _NOT_YET.search(before) or _OTHER_NAME.search(before):
        return False
    if _NOT_YET.match(after.lstrip("`*_,) ")) or _WILL.match(after):
        return False
    clause = re.split(r"[;]|,\s+(?:and|then|but|which)\s", before)[-1]
    near = re.search(r"(?:\S+\s+){0,2}\S*$", clause.rstrip("`*'\"( "))
    if near and _INPUT.search(near.group()):
        return False
    return not _NOT_YET.search(clause) and not _THEIRS.search(sentence)


def _state(story: Story, path: str) -> str:
    """`missing` or `empty`; "" where the file is there or nobody can tell."""
    if path.startswith(_ELSEWHERE):
        return ""
    name = posixpath.basename(path)
    if story.files.root is not None:
        return _state_in_folder(story, path)
    if story.files.deleted(path):
        since = story.acts[story.files.removed_by(path) + 1 :]
        again = re.compile(rf"(?<![\w.-]){re.escape(path)}")
        made = any(again.search(_worked(a) + a.output) for a in since if a.call)
        return "" if made else "removed again"
    if _swept(story, path):
        return "removed again"
    mentioned = any(name in _worked(act) or name in _shown_by(act) for act in story.calls())
    calls = list(story.calls())
    if mentioned or not calls or any(_writes_unseen(story, act) for act in calls):
        return ""
    return "in no call of the log"


def _writes_unseen(story: Story, act: Act) -> bool:
    """Whether a call can have written a file whose name stands nowhere.

    By a program that is not in the log, or under a name that a program puts together.
    """
    if act.is_a("mcp", "other", "delegate", "input"):
        return True
    for ran in programs(act):
        text = ran.text if ran.text is not None else story.files.from_log(ran.key)
        if text is None or _NAMES_LATER.search(text):
            return True
    return False


def _state_in_folder(story: Story, path: str) -> str:
    left = story.files.left
    name = re.escape(posixpath.basename(path))
    here = [own for own in left if re.search(rf"(?:^|[/ ]){name}$", own, re.IGNORECASE)]
    if not here:
        return "" if _packed(story, path) else "missing"
    if _MAY_BE_EMPTY.search(path):
        return ""
    files = [own for own in here if _same_tail(own, path)] or here
    return "empty" if all(left[own].stat().st_size == 0 for own in files) else ""


def _packed(story: Story, path: str) -> bool:
    """Whether a command put the file into an archive."""
    name = posixpath.basename(path)
    return any(
        command.name in ("zip", "tar", "7z", "gzip")
        and any(fnmatch(name, word) or fnmatch(path, word) for word in command.words[1:] if word)
        for act in story.calls("shell")
        for command in act.commands
    )


def _swept(story: Story, path: str) -> bool:
    """Whether a pattern of a clean-up took the file, and nothing names it after."""
    name = posixpath.basename(path)
    for act in reversed(list(story.calls("shell"))):
        for command in act.commands:
            globs = [w for w in command.words[1:] if w and "*" in w] if command.name == "rm" else []
            if any(fnmatch(path, glob.removeprefix("./")) for glob in globs):
                later = story.acts[act.number + 1 :]
                return not any(name in _worked(a) or name in a.output for a in later if a.call)
    return False


def _shown_by(act: Act) -> str:
    """What a call gave back, but for the words of a tool that writes."""
    return "" if act.is_a("write", "edit", "patch") else act.output


def _worked(act: Act) -> str:
    """What the agent typed in a call, but for the prose that it wrote to report files."""
    paths = [effect.path for effect in act.effects if effect.path and effect.kind != "opaque"]
    if act.is_a("write") and not paths:
        return ""  # it was refused
    if paths and all(tells(path) for path in paths):
        return " ".join(paths)
    return act.typed


def _same_tail(own: str, path: str) -> bool:
    """Whether one path ends as the other does, folder by folder."""
    wanted, parts = path.strip("./").split("/"), own.split("/")
    return parts[-len(wanted) :] == wanted or wanted[-len(parts) :] == parts


def _shown(story: Story, path: str) -> Iterator[Evidence]:
    """The empty file itself."""
    for own in story.files.left:
        if _same_tail(own, path):
            yield story.in_file(own)
