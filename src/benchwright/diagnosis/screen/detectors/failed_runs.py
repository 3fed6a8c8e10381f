"""Programs whose last run failed and whose results were handed in anyway. facts: arft 9 (C.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchwright.diagnosis.screen.failures import Ran, builds, check_of, failed, programs
from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.phrases import pattern, template
from benchwright.diagnosis.screen.report import sayings, told
from benchwright.diagnosis.screen.story import Act, Story
from benchwright.diagnosis.screen.words import states

_ADMITS = pattern("failed_runs", "admits")
_NAMED = re.compile(r"(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception)\b")
_PROBE = re.compile(r"(?:import [\w., ]+|from \w[\w.]* import \w+)(?:[;\n]\s*print\([^;\n]*\))?$")
_NUMERIC = pattern("failed_runs", "numeric")
_REASONS = template("failed_runs", "{reasons}", re.NOFLAG)


def last_run_failed(story: Story) -> Iterator[Found]:
    """One finding for each program; none where the run says that something failed."""
    last: dict[str, Act] = {}
    for act in story.calls("shell", "python"):
        verdict = failed(act)
        if verdict is None or check_of(act):
            continue
        for ran in programs(act):
            if not _is_probe(ran):
                last[_key(ran)] = act
    broken = {k: act for k, act in last.items() if failed(act) and not _built_since(story, k, act)}
    if not broken or _admits(story):
        return
    final = _last_computation(story)
    for key, act in broken.items():
        if (act is final and _goes_on(story, act)) or _is_used(story, key, act):
            quote = _reason(act)
            says = f"the last run of {key} failed: {quote or 'without a word'}"
            yield Found(says, (story.at(act, quote),))


def _goes_on(story: Story, act: Act) -> bool:
    """Whether something was said or written after the failure: else the run ended with it."""
    later = story.acts[act.number + 1 :]
    return any(
        a.who == "agent" and (a.text or a.is_a("write", "edit", "submit")) for a in later
    ) or any(e.kind in ("write", "append") for a in later for e in a.effects)


def _built_since(story: Story, key: str, act: Act) -> bool:
    """Whether a build that ran well afterwards names the program."""
    return any(
        builds(later) and failed(later) is False
        and (key in later.output or any(key in story.acts[n].typed for n in _recipes(story)))
        for later in story.acts[act.number + 1 :]
    )  # fmt: skip


def _recipes(story: Story) -> list[int]:
    """Acts that wrote a build file or a shell script."""
    names = ("Makefile", "Snakefile", "justfile", "dvc.yaml", ".sh", ".mk", ".nf")
    return [n for path, acts in story.files.written().items() if path.endswith(names) for n in acts]


def _is_probe(ran: Ran) -> bool:
    """Whether a line only asks for a library or a version."""
    text = ran.text or ""
    return bool(text) and len(text) < 200 and _PROBE.match(text.strip()) is not None


def _key(ran: Ran) -> str:
    return ran.key if ran.key != "inline" else "inline code"


def _last_computation(story: Story) -> Act | None:
    runs = [
        a
        for a in story.calls("shell", "python")
        if not check_of(a) and any(not _is_probe(r) for r in programs(a))
    ]
    return runs[-1] if runs else None


def _is_used(story: Story, key: str, act: Act) -> bool:
    """Whether the program is handed in or named as what gave the results, and never ran well."""
    if key == "inline code":
        return False
    named = any(key in said.text for said in sayings(story))
    ever = any(
        failed(a) is False and any(_key(r) == key for r in programs(a))
        for a in story.calls("shell", "python")
    )
    return named and not ever


def _admits(story: Story) -> bool:
    """Whether the last words or a report say that something failed."""
    bare = (_NUMERIC.sub(" ", sentence) for sentence in told(story))
    return any(states(_ADMITS, words) and "no errors" not in words.lower() for words in bare)


def _reason(act: Act) -> str | None:
    """The line of the output that says why; of a silent end the last one."""
    lines = [line.strip() for line in act.output.strip().split("\n") if line.strip()]
    named = [line for line in lines if _NAMED.match(line)] or [
        line for line in lines[-12:] if _REASONS.search(line)
    ]
    return (named or lines)[-1][:120] if lines else None
