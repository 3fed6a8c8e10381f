"""Two planted raters of known agreement come out with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchwright.cli import exit_code
from benchwright.diagnosis.agreement.among import among
from benchwright.diagnosis.agreement.levels import rated
from benchwright.diagnosis.cards.outcome import outcome
from benchwright.diagnosis.labels.file import read_collection
from benchwright.diagnosis.taxonomy import shipped
from benchwright.episodes.folder import RunFolder
from benchwright.scoring.sheets import read_sheet
from tests.diagnosis.cards.rounds import fill, key_of
from tests.diagnosis.labels.made import labels

CARDS = range(1, 13)


def marks(flipped: int) -> dict[int, bool]:
    """Half of twelve cards are marked; the first so many of those are flipped."""
    return {n: n <= 6 and n > flipped for n in CARDS}


def round_of(round_: Path, rater: str, flipped: int) -> None:
    own = marks(flipped)
    fill(round_, rater, {
        n: [{
            "run verdict": "valid" if own[n] else "invalid",
            "accepted": "yes" if own[n] else "no",
            **({"pattern": "C.2", "evidence": "step 3"} if own[n] else {}),
        }]
        for n in CARDS
    })  # fmt: skip


@pytest.mark.parametrize(
    ("flipped", "observed", "kappa"),
    [(0, 1, 1), (3, 9 / 12, 1 / 2), (6, 6 / 12, 0)],
)
def test_flipped_marks_give_the_kappa_that_is_worked_out_by_hand(
    flipped: int,
    observed: float,
    kappa: float,
    round_: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Marks of 6 of 12 against 6 - k of 12: po = (12 - k) / 12, pe = (6 (6 - k) + 6 (6 + k)) / 144
    = 1 / 2, so kappa = 1 - k / 6."""
    round_of(round_, "Ada", 0)
    round_of(round_, "Bo", flipped)
    assert kappa == 1 - flipped / 6
    told = read(round_, capsys)
    own = told["agreement"]
    for found in (own["verdicts"], own["accepted"], own["by_pattern"]["C.2"]):
        (pair,) = found["pairs"]
        assert (pair["raters"], pair["units"]) == (["Ada", "Bo"], 12)
        assert (pair["observed"], pair["kappa"]) == pytest.approx((observed, kappa))
    assert set(own["by_pattern"]) == {"C.2"}
    (pooled,) = own["patterns"]["pairs"]
    n, ada, bo = 12 * 45, 6, 6 - flipped
    chance = (ada * bo + (n - ada) * (n - bo)) / n**2
    assert pooled["units"] == n
    assert pooled["kappa"] == pytest.approx((1 - flipped / n - chance) / (1 - chance))


def test_the_pooled_kappa_is_the_one_that_agree_prints(
    round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    round_of(round_, "Ada", 0)
    round_of(round_, "Bo", 3)
    (pair,) = read(round_, capsys)["agreement"]["patterns"]["pairs"]
    labelled = read_collection(round_ / "labels")
    all_of_them = among(rated(labelled, shipped()), "pattern")[0].agreement
    assert all_of_them.pairs[0].kappa == pytest.approx(pair["kappa"])


def read(round_: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    assert exit_code(["diagnose", "cards", "--read", str(round_), "--json"]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_a_pattern_that_only_one_rater_finds_is_disagreement(
    round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    round_of(round_, "Ada", 0)
    fill(round_, "Bo", {n: [{"run verdict": "valid"}] for n in CARDS})
    (pair,) = read(round_, capsys)["agreement"]["by_pattern"]["C.2"]["pairs"]
    assert (pair["observed"], pair["kappa"]) == (0.5, 0)


def test_the_scorers_pass_is_held_against_what_each_rater_accepts(
    round_: Path, card_run: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both raters accept cards 1 to 6; the scorer's own pass is read from its sheets."""
    round_of(round_, "Ada", 0)
    round_of(round_, "Bo", 0)
    passed = {n: right(card_run, e) for n, e in key_of(round_).items()}
    equal = sum(passed[str(n)] == marks(0)[n] for n in CARDS) / 12
    for pair in read(round_, capsys)["agreement"]["scorer"]:
        assert (pair["raters"][0], pair["units"], pair["observed"]) == ("scorer", 12, equal)


def right(run: RunFolder, episode: str) -> bool:
    (score,) = (s for s in read_sheet(run.folder(episode), "tracebench/1").scores
                if s.metric == "top1")  # fmt: skip
    return score.value == 1


def test_what_rules_propose_is_held_against_each_rater(
    round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every run was closed and handed something in, so rules propose valid twelve times: half."""
    round_of(round_, "Ada", 0)
    (pair,) = read(round_, capsys)["agreement"]["rules"]
    assert (pair["raters"], pair["units"]) == (["rules", "Ada"], 12)
    assert (pair["observed"], pair["kappa"]) == (0.5, 0)


def test_lines_for_people_say_the_same(round_: Path, capsys: pytest.CaptureFixture[str]) -> None:
    round_of(round_, "Ada", 0)
    round_of(round_, "Bo", 3)
    capsys.readouterr()
    assert exit_code(["diagnose", "cards", "--read", str(round_)]) == 0
    told = capsys.readouterr().out
    assert "24 label files in " in told and "benchwright diagnose agree " in told
    assert "run verdict, Ada and Bo: 75.0% of 12 equal, kappa 0.500" in told
    assert "pattern C.2, Ada and Bo: 75.0% of 12 equal, kappa 0.500" in told
    assert "proposed run verdict against Ada: 50.0% of 12 equal, kappa 0.000" in told


def test_one_rater_alone_is_told_what_is_missing(
    round_: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    round_of(round_, "Ada", 0)
    capsys.readouterr()
    assert exit_code(["diagnose", "cards", "--read", str(round_)]) == 0
    assert "agreement needs the filled sheets of two raters" in capsys.readouterr().out


def test_labels_of_people_keep_every_rule_and_stand_beside_what_rules_propose(
    round_: Path, card_run: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    round_of(round_, "Ada", 0)
    read(round_, capsys)
    words = ["diagnose", "labels", round_ / "labels", "--run", card_run.path, "--json"]
    assert exit_code(list(map(str, words))) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert len(files) == 12 and all(f["quality"]["unchecked"] == 0 for f in files)
    assert {f["verdict"]["by"] for f in files} == {"rater"}
    first = {f["verdict"]["proposals"][0]["verdict"] for f in files}
    assert first == {"valid", "invalid"}  # C.2 that a person found is a reason too


def test_a_reviewer_who_always_says_the_same_has_kappa_zero_at_near_full_agreement() -> None:
    """As in the published review of conversations: 86 of 87 equal, kappa 0 (facts telemetry)."""
    found = [
        labels(
            subject=str(n), rater=rater, verdict="invalid" if (rater, n) == ("R1", 7) else "valid"
        )
        for rater in ("R1", "R2")
        for n in range(87)
    ]
    together = outcome(found, {}, {}).verdicts
    assert together is not None
    (pair,) = together.pairs
    assert (pair.units, pair.observed, pair.kappa) == (87, 86 / 87, 0)
