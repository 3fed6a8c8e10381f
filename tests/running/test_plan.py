"""What is owed depends on content only."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.episodes.model import AgentRecord
from benchwright.errors import SpecError
from benchwright.running.plan import plan_episodes, refuse_too_many
from benchwright.tasks.model import Submission, Task, TaskLimits

AGENTS = [AgentRecord(name, None, False, "bwrap", "0") for name in ("a", "b")]


def task(name: str, digest: str = "d") -> Task:
    contract = Submission("direct", "results.json", ("x", "y"), ("s.parquet",))
    return Task(f"{name}-0123", digest, "test", name, {}, "", Path(), contract, TaskLimits())


@given(st.permutations(["one", "two", "three"]), st.integers(1, 3))
def test_ids_do_not_depend_on_the_order_of_tasks_or_agents(names: list[str], trials: int) -> None:
    tasks = [task(name, name) for name in names]
    forth = plan_episodes(tasks, AGENTS, trials)
    back = plan_episodes(tasks[::-1], AGENTS[::-1], trials)
    assert {p.id for p in forth} == {p.id for p in back}
    assert len({p.id for p in forth}) == len(tasks) * len(AGENTS) * trials


@pytest.mark.parametrize("change", ["digest", "model", "sandbox", "version"])
def test_another_task_or_agent_is_another_episode(change: str) -> None:
    agent = AgentRecord("a", None, False, "bwrap", "0")
    other = {
        "digest": agent,
        "model": AgentRecord("a", "m", False, "bwrap", "0"),
        "sandbox": AgentRecord("a", None, False, "none", "0"),
        "version": AgentRecord("a", None, False, "bwrap", "1"),
    }[change]
    (before,) = plan_episodes([task("t")], [agent], 1)
    (after,) = plan_episodes([task("t", "e" if change == "digest" else "d")], [other], 1)
    assert before.id != after.id


def test_tasks_that_look_the_same_are_owed_each_for_itself() -> None:
    alike = [replace(task("t", "same"), id=f"t-{end}") for end in ("01", "02")]
    plan = plan_episodes([*alike, task("u", "other")], AGENTS, 2)
    assert len({p.id for p in plan}) == len(plan) == 12
    (alone,) = plan_episodes(alike[:1], AGENTS[:1], 1)
    assert alone.id not in {p.id for p in plan}
    assert {p.id for p in plan_episodes([task("u", "other")], AGENTS, 2)} < {p.id for p in plan}


def test_more_episodes_than_a_run_may_plan_are_refused_before_planning() -> None:
    refuse_too_many(135, 5, 100)
    with pytest.raises(SpecError, match="too many episodes: 12000000000"):
        refuse_too_many(12, 1, 10**9)
