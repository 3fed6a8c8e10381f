"""The scorer `telemetry/1`: from the record of a conversation to its obligations.

Pure: reads the gold and `session.jsonl` of a closed episode, runs nothing. One check per obligation
in dependency order, and before them `contract`: whether all were met, and if not the first that was
broken. What sentences do not tell is `unverified`: where nothing failed there is no score then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Final

from benchwright.canonical import plain
from benchwright.episodes.model import Episode
from benchwright.episodes.session import read_session
from benchwright.errors import FormatError
from benchwright.scoring.model import Check, Outcome, Score, ScoreSheet, Scoring
from benchwright.suites.telemetry.episode import conversation, readable
from benchwright.suites.telemetry.evaluation.evaluate import Evaluated, evaluated
from benchwright.suites.telemetry.evaluation.judged import Judged
from benchwright.suites.telemetry.obligations.model import Obligation
from benchwright.tasks.model import Gold, Task
from benchwright.trajectory.evidence import Evidence

NAME: Final = "telemetry/1"
CONTRACT: Final = "contract"
"""The check that stands for a whole conversation."""
METRICS: Final = ("complete", "correct", "met")
"""All obligations met; all that is said of data and decisions right; share of obligations
that are shown to be met."""
ANSWERED: Final = frozenset(
    {
        *("initial_value", "revised_value", "observed_stated", "offset_stated"),
        *("comparison_stated", "ranking_stated", "quality_stated", "quality_decision"),
        *("preference_given", "reporting_action", "reporting_reason"),
    }
)
"""Types that make an answer correct, however it was come by."""


def metrics(task: Task) -> tuple[str, ...]:
    """Metrics of every sheet.

    Raises:
        FormatError: the task is no dialogue.
    """
    if task.submission.mode != "dialogue":
        raise FormatError(
            "task is no dialogue",
            value=task.submission.mode,
            where=task.id,
            hint="Build the set again.",
        )
    return METRICS


def score(task: Task, gold: Gold, episode: Episode) -> ScoreSheet:
    """Judge every obligation of one episode."""
    script, duties, _ = conversation(gold)
    lines = [asdict(exchange) for exchange in read_session(episode)]
    found = evaluated(lines, script, duties)
    if found.trace.strayed is not None:
        reason = f"exchange {found.trace.strayed}: the operator said what its script does not say"
        blank = tuple(Score(metric, None, "unscorable", reason) for metric in METRICS)
        return ScoreSheet(episode.id, NAME, blank, ())
    checks = (_contract(found), *(_check(o, judged) for o, judged in found.outcomes))
    return ScoreSheet(episode.id, NAME, scores_of(checks), checks)


def _contract(found: Evaluated) -> Check:
    first = found.first
    why = None if first is None else dict(_reasons(found))[first.id]
    told = None if first is None else f"{first.id}: {why}"
    ended = found.trace.ended or "the record ends"
    return Check(CONTRACT, _outcome(found), None, ended, told)


def _outcome(found: Evaluated) -> Outcome:
    """What is broken counts before what cannot be verified."""
    if found.broken:
        return "fail"
    return "unverified" if found.unverified else "pass"


def _reasons(found: Evaluated) -> Iterable[tuple[str, str | None]]:
    return ((o.id, judged.reason) for o, judged in found.outcomes)


def _check(obligation: Obligation, judged: Judged) -> Check:
    return Check(
        name=obligation.id,
        outcome=_of(judged),
        expected=plain(obligation.expects),
        got=plain(judged.got),
        reason=judged.reason,
        evidence=tuple(Evidence("session", str(n)) for n in judged.at),
    )


def _of(judged: Judged) -> Outcome:
    if judged.unverified:
        return "unverified"
    return "pass" if judged.reason is None else "fail"


def scores_of(checks: tuple[Check, ...]) -> tuple[Score, ...]:
    """Metrics of a sheet by its checks, the first of which stands for the whole."""
    own = checks[1:]
    met = sum(check.outcome == "pass" for check in own) / len(own)
    answered = [check for check in own if type_of(check.name) in ANSWERED]
    complete, correct, share = METRICS
    return (_all(complete, own), _all(correct, answered), Score(share, met, "scored"))


def _all(metric: str, checks: Sequence[Check]) -> Score:
    """1 or 0; where nothing failed and something cannot be verified, no score."""
    first = next((check for check in checks if check.outcome == "unverified"), None)
    if first is None or any(check.outcome == "fail" for check in checks):
        return Score(metric, float(all(c.outcome == "pass" for c in checks)), "scored")
    return Score(metric, None, "unscorable", f"unverified: {first.name}: {first.reason}")


def type_of(name: str) -> str:
    """The type of an obligation by its id."""
    return name.split(".")[1] if "." in name else name


def check_sheet(task: Task, sheet: ScoreSheet) -> None:
    """FormatError unless the scores of a stored sheet follow from its checks."""
    if not sheet.checks:
        return
    outcomes = {check.outcome for check in sheet.checks[1:]}
    worst = next((one for one in ("fail", "unverified") if one in outcomes), "pass")
    whole = sheet.checks[0].outcome == worst
    if sheet.checks[0].name != CONTRACT or not whole or sheet.scores != scores_of(sheet.checks):
        raise FormatError(
            "scores are not those of the checks",
            value=[score.value for score in sheet.scores],
            where=f"sheet {sheet.scorer} of {sheet.episode_id}",
            hint="Restore the run folder from where it came, or remove the sheet and score again.",
        )


SCORING = Scoring(
    *(NAME, score, metrics, check_sheet), counted="complete", whole=CONTRACT, readable=readable
)
