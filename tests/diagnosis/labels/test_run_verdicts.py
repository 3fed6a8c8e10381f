"""Rules propose a run verdict with a reason; a rater's own stands before them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.diagnosis.labels.pool import NO_POOL, Pool, open_pool, read_pool
from benchwright.diagnosis.labels.verdict import (
    ORDER,
    RunFacts,
    delivered,
    facts_of,
    propose,
    stated,
)
from benchwright.episodes.model import AgentRecord, End, Episode, Usage
from benchwright.episodes.session import SESSION_FILE, Ended, Opened, Replied, session_bytes
from benchwright.errors import BenchwrightError
from benchwright.tasks.model import Submission
from benchwright.tasks.session import Turn
from tests.diagnosis.labels.made import SAID, label, labels

CLOSED = RunFacts(End("returned"), None, True, None)
ARFT = open_pool("arft")
ASKED = Submission("programmatic", "rule.py", ("a", "b"), ("s.csv",))


def first(facts: RunFacts, *own: Any, pool: Pool = NO_POOL) -> str | None:
    found = propose(facts, own, pool)
    return found[0].verdict if found else None


def episode(folder: Path, owner: Any = None) -> Episode:
    who = AgentRecord("agent", None, False, "none", "1")
    used = Usage(None, None, None, None, None, None, None, None)
    end = End("error", "the box died") if owner else End("returned")
    return Episode("e", "t", "d", who, 0, end, owner, used, folder)


@pytest.mark.parametrize(
    ("reason", "verdict"),
    [
        ("judge_unavailable", "infrastructure"),
        ("no_decision: result.value is null", "no_delivery"),
        ("no_computation", "invalid"),
        ("soft[reversal_potential]", "valid"),
    ],
)
def test_a_reason_means_what_its_own_pool_says_and_nothing_elsewhere(
    reason: str, verdict: str
) -> None:
    scored = RunFacts(reason=reason)
    assert first(scored, pool=ARFT) == verdict
    assert propose(scored) == ()


def test_what_was_asked_for_and_what_was_left_is_said(tmp_path: Path) -> None:
    for name in ("report.md", "more/solve.py"):
        (tmp_path / "artifacts" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "artifacts" / name).write_text("x")
    (only,) = propose(facts_of(episode(tmp_path), ASKED))
    assert only.verdict == "no_delivery" and only.why == (
        "asked for: rule.py (not in the working folder at the end); "
        "left beside it: more/solve.py, report.md (end: returned)"
    )
    for n in range(9):
        (tmp_path / "artifacts" / f"a{n}").write_text("x")
    (tmp_path / "artifacts" / "rule.py").write_text("")
    (only,) = propose(facts_of(episode(tmp_path), ASKED))
    assert "rule.py (empty); left beside it: a0, a1, a2, a3, a4, a5, a6, a7, ... (" in only.why
    (tmp_path / SESSION_FILE).write_bytes(
        session_bytes([Opened(0, Turn("and?", (), False)), Ended(1, "agent", 0)])
    )
    talk = Submission("dialogue", "reply", ("answer",), ())
    (only,) = propose(facts_of(episode(tmp_path), talk))
    assert only.why == "asked for: a reply by reply, and there is none (end: returned)"


def test_a_timeout_says_nothing_by_itself() -> None:
    assert propose(RunFacts(reason="timeout"), (), ARFT) == ()


def test_the_longest_beginning_counts() -> None:
    own = Pool("own", {"no": "invalid", "no_answer": "no_delivery"}, {})
    assert own.says("no_answer at all") == ("no_answer", "no_delivery")
    assert own.says("nobody") == ("no", "invalid")
    assert own.says("yes") is own.says(None) is None


@pytest.mark.parametrize("owner", ["sandbox", "provider", "judge", "operator", "task"])
def test_a_fault_that_is_not_the_agents_is_infrastructure_whatever_else_is_known(
    owner: Any,
) -> None:
    facts = RunFacts(End("error", "the box died"), owner, False, "no_decision")
    found = propose(facts, [labels(label("C.2"))], ARFT)
    assert [p.verdict for p in found] == ["infrastructure", "no_delivery", "no_delivery", "invalid"]
    assert owner in found[0].why and "the box died" in found[0].why


def test_an_agent_that_broke_off_by_its_own_fault_and_left_an_answer_counts() -> None:
    assert first(replace(CLOSED, owner="agent", end=End("error", "crash"))) == "valid"
    assert first(replace(CLOSED, owner="agent", delivered=False)) == "no_delivery"


def test_a_hit_that_invalidates_does_so_with_rater_reason_and_evidence() -> None:
    (only,) = propose(CLOSED, [labels(label("C.2"), rater="screen", rater_kind="screen")])
    assert (only.verdict, only.evidence) == ("invalid", (SAID,))
    assert "C.2 by screen" in only.why
    assert first(CLOSED, labels(label("C.2", "partial"), label("D.4"))) == "valid"


def test_valid_is_proposed_only_where_it_is_known_that_something_was_handed_in() -> None:
    assert first(CLOSED) == "valid"
    assert first(replace(CLOSED, delivered=None)) is None
    assert first(RunFacts()) is None


verdicts = st.sampled_from([None, *ORDER])
facts = st.builds(
    RunFacts, st.sampled_from([None, End("returned"), End("time_limit", "4 h")]),
    st.sampled_from([None, "agent", "sandbox"]), st.sampled_from([None, True, False]),
    st.sampled_from([None, "no_decision", "soft[x]"]),
)  # fmt: skip


@given(verdicts, facts, st.booleans())
def test_the_raters_own_verdict_wins_and_the_proposals_stay_beside_it(
    own: Any, known: RunFacts, leaked: bool
) -> None:
    rated = labels(*([label("C.2")] if leaked else []), verdict=own, verdict_why="seen")
    found = propose(known, [rated], ARFT)
    said = stated(rated, found)
    assert said.proposals == found
    assert said.verdict == (own or (found[0].verdict if found else None))
    assert said.by == ("rater" if own else "rule" if found else None)
    assert [ORDER.index(p.verdict) for p in found] == sorted(ORDER.index(p.verdict) for p in found)


def test_what_is_handed_in_is_the_file_that_was_asked_for_and_not_an_empty_one(
    tmp_path: Path,
) -> None:
    assert delivered(episode(tmp_path), ASKED) is False
    (tmp_path / "artifacts").mkdir()
    (tmp_path / "artifacts" / "rule.py").touch()
    assert delivered(episode(tmp_path), ASKED) is False
    (tmp_path / "artifacts" / "rule.py").write_text("cut = 3\n")
    assert delivered(episode(tmp_path), ASKED) is True


def test_a_container_that_reports_success_changes_no_proposal(tmp_path: Path) -> None:
    before = propose(facts_of(episode(tmp_path), ASKED))
    for place in (tmp_path, tmp_path / "artifacts"):
        place.mkdir(exist_ok=True)
        (place / "result.json").write_text('{"status": "success", "returncode": 0}')
    after = propose(facts_of(episode(tmp_path), ASKED))
    assert [(one.verdict, one.by) for one in after] == [(one.verdict, one.by) for one in before]
    assert before[0].verdict == "no_delivery"


@pytest.mark.parametrize("replies", [0, 2])
def test_in_a_conversation_a_reply_is_what_is_handed_in(replies: int, tmp_path: Path) -> None:
    asked, turn = Submission("dialogue", "reply", ("a",), ()), Turn("and?", (), False)
    assert delivered(episode(tmp_path), asked) is None
    said = [Replied(n + 1, {"action": "a"}, turn) for n in range(replies)]
    told = session_bytes([Opened(0, turn), *said, Ended(replies + 1, "agent", 0)])
    (tmp_path / SESSION_FILE).write_bytes(told)
    assert delivered(episode(tmp_path), asked) is bool(replies)


@pytest.mark.parametrize(
    "lines",
    [
        'name = "x"\n[reasons]\nlate = "bad"',
        'name = "x"\n[reasons]\n"" = "valid"',
        'name = "x"\n[invalidating]\n"C2" = "old"',
        'name = "x"\nreason = 1',
        "[reasons]",
        "name = ",
    ],
)
def test_a_pool_file_that_cannot_be_used_is_refused(lines: str, tmp_path: Path) -> None:
    file = tmp_path / "pool.toml"
    file.write_text(f'format = "benchwright.label-pool/1"\n{lines}\n')
    with pytest.raises(BenchwrightError, match="pool"):
        read_pool(file)


def test_a_pool_that_names_no_patterns_has_the_usual_and_an_empty_table_none(
    tmp_path: Path,
) -> None:
    file = tmp_path / "pool.toml"
    head = 'format = "benchwright.label-pool/1"\nname = "own"\n'
    file.write_text(head)
    assert set(open_pool(str(file)).invalidating) == {"C.2"}
    file.write_text(f"{head}[invalidating]\n")
    assert first(CLOSED, labels(label("C.2")), pool=read_pool(file)) == "valid"
