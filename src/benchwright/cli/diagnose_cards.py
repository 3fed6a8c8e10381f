"""`diagnose cards RUN...`: a round of human labels: blind cards, a guide, and sheets to fill."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchwright.cli.output import emit_json, refuse_foreign, say
from benchwright.diagnosis.cards.key import (
    HANDOUT,
    KEY_FILE,
    RATER,
    SAMPLE_FILE,
    SHEET_FILE,
    Key,
    Keyed,
    write_key,
)
from benchwright.diagnosis.cards.mask import mask_for
from benchwright.diagnosis.cards.sample import SAMPLE_FORMAT, Item, Sample, draw, rank
from benchwright.diagnosis.cards.sheet import blank_sheet
from benchwright.diagnosis.labels.model import Subject, system_of
from benchwright.diagnosis.taxonomy import shipped
from benchwright.episodes.model import AgentRecord, Planned
from benchwright.errors import SpecError
from benchwright.report.cards import MENU, card_files, card_page, guide_page, order_page
from benchwright.report.page import Page
from benchwright.report.run import RunView
from benchwright.report.site import Site
from benchwright.report.story import read_story
from benchwright.report.terminal import tame
from benchwright.report.words import counted
from benchwright.storage import write_json
from benchwright.suites import open_suite
from benchwright.tasks.model import Task


@dataclass(frozen=True, slots=True)
class Source:
    """A closed episode that can become a card."""

    run: Path
    folder: Path
    planned: Planned
    task: Task

    @property
    def subject(self) -> Subject:
        """What the key says of it."""
        system = system_of(self.planned.agent)
        kind = self.task.axes.get("kind") or self.task.submission.mode
        return Subject(self.planned.id, self.task.id, system, self.task.suite, kind)

    @property
    def item(self) -> Item:
        """What the sample is drawn from."""
        own = self.subject
        return Item(own.id, own.system, own.suite, own.kind)


@dataclass(frozen=True, slots=True)
class Card:
    """One card: its page, and what the key keeps of it."""

    number: int
    page: Page
    keyed: Keyed


def make(
    runs: Sequence[Path], out: Path, size: int | None, seed: int, raters: str, as_json: bool
) -> int:
    """Write the round into the new folder `out`: whole, or not at all."""
    names = rater_names(raters)
    refuse_foreign(out)
    views = [RunView.open(path, lambda suite: open_suite(suite).scoring) for path in runs]
    sources = [source for view in views for source in _sources(view)]
    sample = draw([source.item for source in sources], size, seed)
    agents = {repr(planned.agent): planned.agent for v in views for planned in v.folder.plan}
    own = {source.planned.id: source for source in sources}
    cards = [
        _card(n, own[chosen], list(agents.values())) for n, chosen in enumerate(sample.chosen, 1)
    ]
    owed = sum(len(view.folder.owed()) for view in views)
    key = Key(
        shipped().version,
        seed,
        {str(card.number): card.keyed for card in cards},
        {rater: _order(rater, len(cards), seed) for rater in names},
    )
    _write(out, cards, key, sample)
    if as_json:
        emit_json("diagnose.cards", {
            "out": out, "raters": names, "owed": owed, **_sample_data(sample),
        })  # fmt: skip
    else:
        for line in _lines(out, sample, names, owed):
            say(tame(line))
    return 0


def neither(read: Path | None, pool: str | None) -> SpecError:
    """The refusal of a line that neither makes cards nor reads sheets."""
    value = "runs and --out are needed" if pool is None else "--pool without --read"
    return SpecError(
        "cards are made or read",
        value="both" if read else value,
        where="diagnose cards",
        hint="Write: diagnose cards RUN... --out FOLDER, or later: diagnose cards --read FOLDER.",
    )


def rater_names(stated: str) -> tuple[str, ...]:
    """Names of raters as they were given, each fit for a folder and unlike the others."""
    names = tuple(name.strip() for name in stated.split(","))
    problem = "two raters have one name" if len({*map(str.casefold, names)}) < len(names) else ""
    if not all(map(RATER.fullmatch, names)):
        problem = "name of a rater cannot be used"
    if problem:
        hint = "Use letters, digits, - and _, each name once; set them apart by commas."
        raise SpecError(problem, value=stated, where="--raters", hint=hint)
    return names


def _sources(view: RunView) -> Iterator[Source]:
    for planned in view.folder.plan:
        if view.folder.is_closed(planned.id):
            folder, task = view.folder.folder(planned.id), view.tasks.task(planned.task_id)
            yield Source(view.folder.path, folder, planned, task)


def _card(number: int, source: Source, agents: Sequence[AgentRecord]) -> Card:
    mask = mask_for(agents, [source.planned.id])
    steps = read_story(source.folder / "trajectory.json")
    files = card_files(source.folder / "artifacts", mask)
    asked, submission = source.task.instruction, source.task.submission
    reply = submission.file if submission.mode == "dialogue" else ""
    page = card_page(number, asked, steps, [file for file, _ in files], mask, reply)
    shown = {file.shown: real for file, real in files}
    return Card(number, page, Keyed(str(source.run.absolute()), source.subject, shown))


def _order(rater: str, cards: int, seed: int) -> tuple[int, ...]:
    return tuple(sorted(range(1, cards + 1), key=lambda n: rank(seed, "order", rater, str(n))))


def _write(out: Path, cards: Sequence[Card], key: Key, sample: Sample) -> None:
    partial = out.with_name(f".{out.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    for rater, order in key.order.items():
        _hand_out(partial / HANDOUT / rater, cards, order)
    write_json(partial / SAMPLE_FILE, {"format": SAMPLE_FORMAT, **_sample_data(sample)})
    write_key(partial, key)
    if out.exists():
        out.rmdir()
    partial.rename(out)


def _hand_out(folder: Path, cards: Sequence[Card], order: Sequence[int]) -> None:
    """What one rater is given."""
    site = Site(folder, "Cards", MENU)
    for page in (order_page(order), guide_page(shipped()), *(card.page for card in cards)):
        site.add(page)
    site.add_file(SHEET_FILE, blank_sheet(order))
    site.close()


def _sample_data(sample: Sample) -> Mapping[str, object]:
    strata = [asdict(stratum) for stratum in sample.strata]
    return {"seed": sample.seed, "asked": sample.asked, "strata": strata, "chosen": sample.chosen}


def _lines(out: Path, sample: Sample, raters: Sequence[str], owed: int) -> Iterator[str]:
    yield f"{counted(len(sample.chosen), 'card')} for {counted(len(raters), 'rater')}"
    for one in sample.strata:
        yield f"  {one.agent}, {one.suite}, {one.kind}: {one.included} of {one.episodes}"
    if owed:
        yield f"  {counted(owed, 'episode')} owed: not closed, so no card can be made of them"
    for rater in raters:
        yield f"give {rater}: {out / HANDOUT / rater} (begin with index.html)"
    yield f"keep to yourself: {out / KEY_FILE} and {out / SAMPLE_FILE}"
    yield f"next, with the filled sheets in their places: benchwright diagnose cards --read {out}"
