"""Checks that failed, were followed by an edit, and were never run again. facts: arft 9 (F.1)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from benchwright.diagnosis.screen.failures import SUMMARY, check_of, failed, programs
from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.phrases import pattern, template
from benchwright.diagnosis.screen.report import tells, told
from benchwright.diagnosis.screen.story import Act, Story
from benchwright.diagnosis.screen.words import states

_SAYS_FAILED = template("checks", "^{says_failed}", re.MULTILINE)
_SAYS_PASSED = pattern("checks", "says_passed")
_SAYS_NONE = pattern("checks", "says_none", re.NOFLAG)
_ADMITS = template("checks", r"\b{admits}")
_ENVIRONMENT = template("checks", "{environment}")
_SAYS_NO = template("checks", r"\s*{says_no}\b", re.NOFLAG)
_KEEPS = re.compile(r"\.to_(?:csv|json|parquet)\(|\bdump\(|open\([^)]*[\"'][wa]")
_LOOKS = re.compile(r"\s*(?:cat|ls|head|tail|sed|less|wc|rm|mv|cp|git|echo|chmod)\b")
_CHANGES = ("write", "append", "edit", "patch", "diff")
_IN_PLACE = re.compile(r"\bsed -i|\bperl -p?i|\bruff .*--fix|\bblack\b|\bpatch\b")
_SUFFIX = re.compile(r"\.(?:md|txt|rst|tex|log|png|pdf|svg)$")


def check_not_rerun(story: Story) -> Iterator[Found]:
    """One finding for each check; none where the run says that it was left failing or unchecked."""
    checks = [(act, check_of(act, story.files.from_log)) for act in story.calls("shell", "python")]
    open_ones: dict[str, Act] = {}
    for act, key in checks:
        for other in [k for k, one in open_ones.items() if _covers(story, act, key, one, k)]:
            if not key or _failed(act) is False:
                del open_ones[other]
        if key and _failed(act):
            open_ones[key] = act
    if not open_ones or _admits(story):
        return
    for key, act in open_ones.items():
        edit = _edit_after(story, act)
        rerun = any(a.number > act.number and _covers(story, a, k, act, key) for a, k in checks)
        if edit is not None and not rerun:
            quote = _failure(act)
            what = {"tests": "the tests", "one-liner": "a check"}.get(key, key)
            says = f"{what} failed, {_name(edit)} was edited, and it was not run again"
            yield Found(says, (story.at(act, quote), story.at(edit)))


def _failed(act: Act) -> bool | None:
    """Whether a check says that something is wrong; None where it did not come to say."""
    told = SUMMARY.search(act.output[-4000:]) is not None
    if _ENVIRONMENT.search(act.output[-600:]) and not told:
        return None
    by_status = failed(act)
    if by_status and not _SAYS_PASSED.search(act.output[-300:]):
        return True
    if by_status is None:
        return None
    if _SAYS_NO.match(act.output):
        return True
    masked = told or "|" in act.command or ";" in act.command or " else " in act.command
    if masked and _SAYS_FAILED.search(act.output) and not _SAYS_PASSED.search(act.output[-300:]):
        return _SAYS_NONE.search(act.output) is None
    return False


def _covers(story: Story, later: Act, key: str, earlier: Act, other: str) -> bool:
    """Whether a later call runs what the earlier one ran, or the part of it that failed."""
    if later.number == earlier.number:
        return False
    if other not in ("tests", "one-liner"):
        stem = re.escape(other.partition(".")[0])
        named = re.search(rf"\b{stem}\b", later.output) and any(programs(later))
        return key == other or other in _executed(later, story) or bool(named)
    if other == "one-liner":
        return _looks_again(later, earlier)
    if key != other:
        return other == "tests" and bool(SUMMARY.search(later.output))
    asked = set(re.findall(r"\b(test_\w+)\b(?!\.py)", earlier.output))
    shown = later.command + later.output
    return _ran(later) >= _ran(earlier) or (bool(asked) and all(name in shown for name in asked))


def _looks_again(later: Act, earlier: Act) -> bool:
    """Whether a later line looks at a file of the earlier one and only looks."""
    files = set(re.findall(r"[\w./-]+\.(?:csv|json|parquet|txt|npy|tsv|db)\b", earlier.command))
    inline = later.is_a("python") or re.search(r"python[\d.]* -c|\bawk\b|\bgrep\b", later.command)
    same = any(name in later.command for name in files) or not files
    return bool(inline) and same and not _KEEPS.search(later.command)


def _ran(act: Act) -> int:
    """How many tests a summary counts; a large number where it does not say."""
    counts = re.findall(r"\b(\d+) (?:passed|failed|errors?)\b", act.output[-2000:])
    found = re.search(r"\bRan (\d+) tests?", act.output)
    return int(found.group(1)) if found else sum(map(int, counts)) if counts else 1 << 30


def _executed(act: Act, story: Story) -> str:
    """The command of a call, with the text of shell scripts that it runs."""
    texts = [story.files.from_log(ran.key) or "" for ran in programs(act) if ran.text is None]
    if _LOOKS.match(act.command):
        return ""
    return "\n".join([act.command, *(t for t in texts if t.startswith("#!") or "python" in t)])


def _edit_after(story: Story, check: Act) -> Act | None:
    """The last edit of something that is no prose and not the check itself."""
    found = None
    for act in story.acts[check.number + 1 :]:
        in_place = ("opaque",) if _IN_PLACE.search(act.command) else ()
        paths = [e.path for e in act.effects if e.path and e.kind in (*_CHANGES, *in_place)]
        if any(not tells(path) and not _SUFFIX.search(path) for path in paths):
            found = act
    return found


def _name(act: Act) -> str:
    paths = [effect.path for effect in act.effects if effect.path]
    return posixpath.basename(paths[0]) if paths else "a file"


def _failure(act: Act) -> str:
    found = _SAYS_FAILED.search(act.output)
    line = found.group() if found else act.output.strip().split("\n")[-1]
    return line.strip()[:120]


def _admits(story: Story) -> bool:
    """Whether the run says that a check was left failing, or was not run again."""
    return any(states(_ADMITS, sentence) for sentence in told(story))
