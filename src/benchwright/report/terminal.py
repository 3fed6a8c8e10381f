"""A run and an episode as text for a terminal or a pipe. Takes the records that pages take.

Text of agents is shown, never obeyed: control characters become visible signs, and nothing is read
as markup. Long texts are cut by lines and say where the rest is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from benchwright.episodes.model import Episode
from benchwright.report.episode_page import EpisodeView, reasons_of
from benchwright.report.handed import UNTOLD, UNTOLD_NOTE, files_of, untold
from benchwright.report.story import StoryStep, Stretch, stretches
from benchwright.report.words import (
    answer_words,
    check_words,
    counted,
    end_words,
    metric_words,
    short_name,
    status_words,
    usage_words,
)
from benchwright.scoring.model import Check
from benchwright.stats.attempts import Attempt

_PLAIN_WIDTH = 160
_FULL = (8, 1200)
"""Lines and characters of a message, a command or an output that are shown."""
_BRIEF = (5, 360)
_COLOURS = {"right": "green", "wrong": "red", "unknown": "yellow"}


def console() -> Console:
    """Standard output; without colours and of fixed width when it is no terminal."""
    if sys.stdout.isatty():
        return Console(highlight=False)
    return Console(highlight=False, width=_PLAIN_WIDTH, color_system=None)


def tame(text: str) -> str:
    """`text` without control characters: each but line feed and tab becomes a visible sign."""
    return "".join(map(_sign, text))


def print_episode(
    out: Console,
    view: EpisodeView,
    steps: Sequence[StoryStep],
    checks: Mapping[str, Check],
    hidden: Attempt | None,
) -> None:
    """The story: what it was asked, what it did, how it ended, why it scored so."""
    out.print(Text(tame(f"{view.agent.name} on {view.condition}"), "bold"))
    print_facts(out, view)
    _title(out, "What it was asked")
    _indented(out, view.task.instruction, 2, "the exact text is instruction.md of the task", _BRIEF)
    asked = view.task.submission
    samples = counted(len(asked.samples), "sample")
    wanted = f"{asked.file} for {samples}; labels: {', '.join(asked.labels)}"
    _indented(out, f"Answer: {wanted}", 2, "")
    _title(out, f"What it did: {_deeds(view, steps)}")
    if untold(view.episode, steps):
        _indented(out, UNTOLD_NOTE, 2, "")
    for stretch in stretches(steps):
        if not _repeats(stretch.step, view.task.instruction):
            print_stretch(out, stretch)
    if view.episode is not None:
        _handed_in(out, view.episode)
    _title(out, "Why it scored so")
    for line in _samples(view, checks):
        out.print(line)
    if hidden is not None:
        out.print(Text(f"  {_hidden_words(hidden)}", "dim"))


def print_facts(out: Console, view: EpisodeView) -> None:
    """Which episode it is, how it ended, what it scored and used."""
    for name, text in _facts(view):
        out.print(Text(f"  {name:8}", "dim") + Text(tame(text)))


def _facts(view: EpisodeView) -> Iterator[tuple[str, str]]:
    yield "episode", view.planned.id
    yield "task", view.task.id
    if view.episode is None:
        yield "ended", f"{view.rows[0].reason}: this episode is owed"
        yield from _before(view)
        return
    yield "ended", end_words(view.episode.end, view.episode.owner)
    yield "scores", " · ".join(f"{metric_words(r.metric)} {status_words(r)}" for r in view.rows)
    for reason in reasons_of(view):
        yield "because", reason
    yield "used", " · ".join(f"{name} {value}" for name, value in usage_words(view.episode.usage))
    yield from _before(view)


def _before(view: EpisodeView) -> Iterator[tuple[str, str]]:
    """Attempts at this episode that broke off and were set aside."""
    for attempt in view.broken:
        used = " · ".join(f"{name} {value}" for name, value in usage_words(attempt.usage))
        yield "before", f"{end_words(attempt.end, attempt.owner)} Used {used}."


def _handed_in(out: Console, episode: Episode) -> None:
    found = files_of(episode)
    if found:
        _title(out, f"What it handed in: {counted(len(found), 'file')}")
        _indented(
            out,
            "\n".join(f"{name}  {words}" for name, words in found),
            2,
            f"all of them are in {episode.folder / 'artifacts'}",
        )


def _deeds(view: EpisodeView, steps: Sequence[StoryStep]) -> str:
    own = sum(step.source == "agent" for step in steps)
    if untold(view.episode, steps):
        return UNTOLD
    if not steps:
        return "nothing was recorded"
    return "nothing" if not own else f"{own} {'step' if own == 1 else 'steps'} of the agent"


def _repeats(step: StoryStep, asked: str) -> bool:
    """Whether a step is only the task that was shown already."""
    return step.source == "user" and step.message.strip() == asked.strip() and not step.calls


def print_stretch(out: Console, stretch: Stretch) -> None:
    """One step, and how often it came again."""
    step = stretch.step
    out.print(Text(f"  {step.number:>3} ", "dim") + Text(tame(step.source), "bold"))
    rest = "all of it is in trajectory.json"
    if step.message.strip():
        brief = _BRIEF if step.source == "system" else _FULL
        _indented(out, step.message, 6, rest, brief)
    for call in step.calls:
        out.print(Text(f"      {tame(call.tool)}", "cyan"))
        _indented(out, call.action, 8, rest)
        if call.output is not None:
            _indented(out, call.output.strip("\n") or "[no output]", 10, rest, style="dim")
    for remark in step.remarks:
        _indented(out, remark, 10, rest, style="dim")
    if stretch.last != step.number:
        out.print(Text(f"      [the same again up to step {stretch.last}]", "dim italic"))


def _samples(view: EpisodeView, checks: Mapping[str, Check]) -> Iterator[Text]:
    told = {row.reason for row in view.rows if row.status == "invalid"}
    if checks and all(check.reason in told for check in checks.values()):
        yield Text("  The answer as a whole is invalid, so every sample counts as wrong.", "dim")
        return
    if not checks:
        yield Text("  No sample was judged; the tables count this episode as missing.", "dim")
        return
    for name in view.task.submission.samples:
        check = checks.get(name)
        if check is None:
            yield Text(f"  ? {short_name(name)}  not judged")
            continue
        mark, fate = {"pass": ("✓", "right"), "fail": ("✗", "wrong")}.get(
            check.outcome, ("?", "unknown")
        )
        line = Text(f"  {mark} ", _COLOURS[fate]) + Text(f"{short_name(name)}  ", "dim")
        line.append(tame(f"truth: {check.expected}{_answered(check)}. "))
        yield line.append(tame(check_words(check)), "dim")


def _answered(check: Check) -> str:
    """The answer, unless it is the truth and nothing else or the reason says that there is none."""
    if not check.got or check.got == [check.expected]:
        return ""
    return f"; answer: {answer_words(check.got)}"


def _hidden_words(attempt: Attempt) -> str:
    tally = attempt.tally()
    found = [attempt.checks[name] for name in attempt.owed if name in attempt.checks]
    errors = sum(not check.got for check in found)
    text = f"Held-out samples: {tally['right']} right, {tally['wrong']} wrong"
    text += f", {tally['unknown']} not known" if tally["unknown"] else ""
    return f"{text}; {errors} without a usable answer." if errors else f"{text}."


def _title(out: Console, text: str) -> None:
    out.print()
    out.print(Text(text, "bold"))


def _indented(
    out: Console, text: str, by: int, rest: str, size: tuple[int, int] = _FULL, style: str = ""
) -> None:
    """At most `size` lines and characters of `text`, and a word about what is left out."""
    whole = tame(text.strip("\n"))
    lines, characters = size
    kept = "\n".join(whole.splitlines()[:lines])
    if len(kept) > characters:
        kept = kept[:characters].rpartition(" ")[0] + " …"
    shown = Text(kept, style)
    left = len(whole.splitlines()) - len(kept.splitlines())
    if left or kept.endswith(" …"):
        shown.append(f"\n[{f'{left} more lines' if left else 'cut'}; {rest}]", "dim italic")
    for line in shown.wrap(out, max(out.width - by, 20)):
        line.rstrip()
        out.print(Text(" " * by) + line if line else "")


def _sign(character: str) -> str:
    code = ord(character)
    if character in "\n\t":
        return character
    if code < 0x20:
        return chr(0x2400 + code)
    hidden = 0x7F <= code < 0xA0 or 0x200B <= code <= 0x200F or 0x202A <= code <= 0x202E
    return "\N{REPLACEMENT CHARACTER}" if hidden or 0x2066 <= code <= 0x2069 else character
