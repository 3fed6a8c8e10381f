"""`diagnose cards --read FOLDER`: filled sheets as label files, and how far raters agree."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchwright.cli.diagnose_labels import Around, around_of
from benchwright.cli.output import emit_json, say
from benchwright.diagnosis.cards.filled import Filled, read_filled
from benchwright.diagnosis.cards.key import Key, Keyed, read_key
from benchwright.diagnosis.cards.outcome import Outcome, outcome
from benchwright.diagnosis.cards.written import replace_labels
from benchwright.diagnosis.labels.pool import NO_POOL, open_pool
from benchwright.diagnosis.labels.verdict import propose
from benchwright.errors import BenchwrightError
from benchwright.report.terminal import tame
from benchwright.report.words import counted
from benchwright.stats.agreement import Agreement, PairKappa
from benchwright.trajectory.resolve import Places

LABELS = "labels"


@dataclass(frozen=True, slots=True)
class Runs:
    """What the runs of a round still tell: evidence and facts by episode; runs that are gone."""

    around: dict[str, Around]
    gone: tuple[str, ...]

    def places(self, keyed: Keyed) -> Places:
        """Where evidence about a card leads."""
        found = self.around.get(keyed.subject.id)
        return found.places if found else Places()


def read(folder: Path, pool: str | None, as_json: bool) -> int:
    """Write `labels/` in place of an earlier reading, and say how far raters agree.

    Where sheets hold mistakes, all of them are told, nothing is written, and the code is 2.
    """
    key = read_key(folder)
    runs = _runs(key)
    vocabulary = open_pool(pool) if pool else NO_POOL
    filled = read_filled(folder, key, runs.places)
    if filled.mistakes:
        for mistake in filled.mistakes:
            print(f"benchwright: {mistake}", file=sys.stderr)
        return 2
    replace_labels(folder / LABELS, key, filled.labels)
    proposed: dict[str, Hashable] = {}
    for name, own in runs.around.items():
        found = propose(own.facts, (), vocabulary)
        if found:
            proposed[name] = found[0].verdict
    passed = {n: own.passed for n, own in runs.around.items() if own.passed is not None}
    said = outcome(filled.labels, proposed, passed)
    if as_json:
        emit_json("diagnose.cards", {
            "labels": folder / LABELS, "files": len(filled.labels), "blank": filled.blank,
            "unchecked": filled.unchecked, "runs_gone": runs.gone, "agreement": said,
        })  # fmt: skip
    else:
        for line in _lines(folder, key, runs, filled, said):
            say(tame(line))
    return 0


def _runs(key: Key) -> Runs:
    """The runs of a round; sheets can be read where one has gone, and it is said."""
    subjects = {keyed.subject.id for keyed in key.cards.values()}
    around: dict[str, Around] = {}
    gone = []
    for path in sorted({keyed.run for keyed in key.cards.values()}):
        try:
            around |= around_of(Path(path), subjects)
        except BenchwrightError as error:
            gone.append(f"{path}: {error.problem}")
    return Runs(around, tuple(gone))


def _lines(folder: Path, key: Key, runs: Runs, filled: Filled, said: Outcome) -> Iterator[str]:
    yield f"{counted(len(filled.labels), 'label file')} in {folder / LABELS}"
    for rater, number in filled.blank.items():
        yield f"  {rater} left {number} of {counted(len(key.cards), 'card')} empty"
    for run in runs.gone:
        yield f"  places were not followed, because a run cannot be opened: {run}"
    yield from _together("run verdict", said.verdicts)
    yield from _together("accepted", said.accepted)
    yield from _together("all patterns of the taxonomy", said.patterns)
    for name, found in said.by_pattern.items():
        yield from _together(f"pattern {name}", found)
    for what, pairs in (("proposed run verdict", said.rules), ("pass of the scorer", said.scorer)):
        for pair in pairs:
            yield f"{what} against {pair.raters[1]}: {_pair(pair)}"
    more = f"benchwright diagnose agree {shlex.quote(str(folder / LABELS))}"
    if said.verdicts is None:
        yield "agreement needs the filled sheets of two raters"
    else:
        yield f"next, by pillar and stage and with intervals: {more}"


def _together(what: str, found: Agreement | None) -> Iterator[str]:
    if found is None:
        return
    for pair in found.pairs:
        yield f"{what}, {' and '.join(pair.raters)}: {_pair(pair)}"
    if len(found.pairs) > 1:
        yield f"{what}, mean of {len(found.pairs)} pairs: kappa {_number(found.mean)}"
    yield f"{what}, all raters: alpha {_number(found.alpha)}"


def _pair(pair: PairKappa) -> str:
    observed = "none" if pair.observed is None else f"{pair.observed:.1%}"
    return f"{observed} of {pair.units} equal, kappa {_number(pair.kappa)}"


def _number(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"
