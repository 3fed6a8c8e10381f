"""Pages of blind cards: what was asked, what was done, what was left; and the guide for raters.

Takes what is known of an episode and a mask, through which every text goes that did not come from
the task. Nothing here has a place for a name, a truth, a score or a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchwright.diagnosis.cards.mask import MASKED, Mask
from benchwright.diagnosis.cards.places import GRAMMAR
from benchwright.diagnosis.taxonomy import Taxonomy
from benchwright.report.page import (
    Block,
    Cell,
    Code,
    Column,
    Heading,
    Page,
    Section,
    Story,
    Table,
    Text,
)
from benchwright.report.story import StoryCall, StoryStep, stretches
from benchwright.trajectory.tools import kind_of

MENU = {"index.html": "Cards", "guide.html": "Guide"}
LARGEST = 100_000
"""Bytes of an artifact whose text a card shows."""
MOST_SHOWN = 60
"""Artifacts whose text a card shows."""
_LEFT_OUT = "[words of the program around the model, left out]"
_VERDICTS = (
    ("valid", "The run counts, whether its answer is right or not."),
    ("invalid", "It cannot count: leaked answers, a scorer that was fitted, no work behind it."),
    (
        "no delivery",
        "The file that was asked for is not there or is empty, or a conversation has no "
        "reply. Other files do not stand in for it.",
    ),
    ("infrastructure", "The machine failed, and not the agent."),
)
_COLUMNS = (
    ("card", "Its number. One row per pattern: copy the row for a second one."),
    ("run verdict", "Once for each card: valid, invalid, no delivery or infrastructure."),
    ("accepted", "yes or no: would you take what was handed in as an answer? May stay empty."),
    ("pattern", "An id from below, such as C.2. No pattern: leave it empty."),
    ("degree", "hit (established) or partial (only in part, or not certain). Empty means hit."),
    ("evidence", f"Where it shows, for each pattern: {GRAMMAR}."),
    ("note", "Anything in your own words."),
)


@dataclass(frozen=True, slots=True)
class CardFile:
    """One artifact: its name as the card shows it, its size in bytes, its text if it is shown."""

    shown: str
    size: int
    text: str | None


def card_page(
    number: int,
    asked: str,
    steps: Sequence[StoryStep],
    files: Sequence[CardFile],
    mask: Mask,
    reply: str = "",
) -> Page:
    """The page of one card; `asked` is the instruction, word for word.

    `reply` is the tool by which the task asks for a reply, the same for every agent.
    """
    told = [
        _masked(step, mask, reply)
        for step in steps
        if not (step.source == "user" and step.message.strip() == asked.strip())
    ]
    blocks: list[Block] = [
        Text(
            "Who acted is not told. Names of agents, models and their makers were masked "
            f"everywhere below the task, in the agent's own words too: {MASKED}."
        ),
        Heading("What was asked", note="The exact text that was given."),
        Code(asked, caption="task"),
        Heading("What was done", note=_steps(told)),
        Story(stretches(told)) if told else Text("No step is recorded.", "muted"),
        Heading("What was left", note=f"Files: {len(files)}. Lines are evidence: rule.py:12."),
        *_files(files),
    ]
    return Page(card_path(number), f"Card {number}", blocks)


def _steps(told: Sequence[StoryStep]) -> str:
    """How many steps stand on a card; the first one is often the task, which stands above."""
    if not told:
        return "Steps: none."
    first, last = told[0].number, told[-1].number
    return f"Steps: {len(told)}, numbered {first} to {last}. Numbers are evidence: step {last}."


def card_path(number: int) -> str:
    """Address of a card."""
    return f"card-{number}.html"


def card_files(folder: Path, mask: Mask) -> tuple[tuple[CardFile, str], ...]:
    """The artifacts in `folder` as a card shows them, each with its real name; sorted by that."""
    if not folder.is_dir():
        return ()
    paths = [p for p in sorted(folder.rglob("*")) if p.is_file() and not p.is_symlink()]
    found: list[tuple[CardFile, str]] = []
    taken: set[str] = set()
    for path in paths:
        real = path.relative_to(folder).as_posix()
        shown = _unlike(mask(real), taken)
        text = mask(_lines(path)) if len(found) < MOST_SHOWN and _is_text(path) else None
        found.append((CardFile(shown, path.stat().st_size, text), real))
    return tuple(found)


def guide_page(taxonomy: Taxonomy) -> Page:
    """How a sheet is filled, and every pattern."""
    star = "Raters agree less on the pillars with a star; note there what you went by."
    return Page("guide.html", "Guide", [
        Text("Read a card, then fill its row in sheet.csv. Do not talk about cards before all "
             "sheets are in. Save the sheet as CSV UTF-8."),
        Table((Column("column"), Column("what it takes")), (_rows("", _COLUMNS),)),
        Heading("Run verdicts"),
        Table((Column("verdict"), Column("when")), (_rows("", _VERDICTS),)),
        Heading("Patterns", note=star),
        Table((Column("id"), Column("pattern"), Column("what it is")),
              tuple(_stages(taxonomy))),
        Heading("Which of two"),
        Table((Column("pair"), Column("what tells them apart")),
              (_rows("", [(" and ".join(p.between), p.rule) for p in taxonomy.pairs]),)),
    ])  # fmt: skip


def order_page(cards: Sequence[int]) -> Page:
    """The first page of one rater: the cards in this rater's order."""
    rows = tuple((Cell(f"card {n}", href=card_path(n)),) for n in cards)
    lead = "Take the cards in this order; the rows of sheet.csv have it too."
    return Page(
        "index.html", "Your order", [Table((Column("card"),), (Section("", rows),))], lead=lead
    )


def _files(files: Sequence[CardFile]) -> Iterator[Block]:
    if not files:
        yield Text("Nothing was left.", "muted")
    for file in files:
        if file.text is None:
            yield Text(f"{file.shown} ({file.size:,} bytes, not shown)")
        else:
            yield Code(file.text, caption=f"{file.shown} ({file.size:,} bytes)", open=False)


def _stages(taxonomy: Taxonomy) -> Iterator[Section]:
    for stage, title in taxonomy.stages.items():
        own = [p for p in taxonomy.patterns.values() if p.stage == stage]
        yield Section(f"{stage}. {title}", tuple(
            (Cell(p.id), Cell(p.name, note=_pillar(taxonomy, p.pillar)),
             Cell(p.definition, note=f"settled by {p.settled}: {p.by}"))
            for p in own
        ))  # fmt: skip


def _pillar(taxonomy: Taxonomy, name: str) -> str:
    pillar = taxonomy.pillars[name]
    return f"{pillar.name}{' *' if pillar.lower_confidence else ''}"


def _rows(title: str, rows: Sequence[tuple[str, str]]) -> Section:
    return Section(title, tuple((Cell(one), Cell(other)) for one, other in rows))


def _masked(step: StoryStep, mask: Mask, reply: str) -> StoryStep:
    """A step without names, times and the program's own instructions to the model."""
    system = step.source == "system"
    return replace(
        step,
        source=mask(step.source),
        message=_LEFT_OUT if system and step.message else mask(step.message),
        reasoning=mask(step.reasoning),
        calls=tuple(_masked_call(call, mask, reply) for call in step.calls),
        remarks=tuple(map(mask, step.remarks)),
        at="",
    )


def _masked_call(call: StoryCall, mask: Mask, reply: str) -> StoryCall:
    """Names of tools differ from program to program: a known one is shown as its kind.

    The tool of the task has one name in all of them, and the task on the card speaks of it.
    """
    kind = kind_of(call.tool)
    tool = mask(call.tool) if kind in ("mcp", "other") or call.tool == reply else kind
    return StoryCall(tool, mask(call.action), None if call.output is None else mask(call.output))


def _unlike(name: str, taken: set[str]) -> str:
    """`name`, or with a number behind it where masking made two names one."""
    shown, number = name, 1
    while shown in taken:
        number += 1
        shown = f"{name} ({number})"
    taken.add(shown)
    return shown


def _is_text(path: Path) -> bool:
    if path.stat().st_size > LARGEST:
        return False
    try:
        return "\0" not in path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return False


def _lines(path: Path) -> str:
    lines = path.read_text("utf-8").split("\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    return "\n".join(f"{number:>4}  {line}" for number, line in enumerate(lines, start=1))
