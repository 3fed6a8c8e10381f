"""Tokens, cost, iterations, console share and time, by the rules of the formats."""

from __future__ import annotations

import pytest

from benchwright.trajectory.metrics.usage import Cost
from tests.trajectory.files.events import bash
from tests.trajectory.metrics.small import begin, compacted, figures, says, spends, timed, within

MODEL = "gpt-5.5"


def test_the_last_counts_of_an_answer_hold() -> None:
    found = figures(begin(), spends("a", 10, 1), spends("a", 10, 5), spends("b", 20, 2)).together
    assert (found.tokens.prompt, found.tokens.completion, found.iterations) == (30, 7, 2)


def test_a_count_that_says_nothing_does_not_take_back_one_that_did() -> None:
    found = figures(begin(), spends("a", 10, 5), spends("a", None, 6)).together
    assert (found.tokens.prompt, found.tokens.completion) == (10, 6)
    assert not found.tokens.prompt_at_least


def test_a_total_that_a_run_states_is_trusted_over_sums() -> None:
    parts = [spends("a", 10, 1), spends("b", 10, 1)]
    found = figures(begin(), *parts, spends("run", 100, 50, scope="run")).together
    assert (found.tokens.prompt, found.tokens.completion, found.iterations) == (100, 50, 2)


def test_answers_behind_a_stated_total_are_added_to_it() -> None:
    total = spends("run 1", 100, 50, scope="run")
    found = figures(begin(), spends("a", 10, 1), total, spends("b", 7, 2)).together
    assert (found.tokens.prompt, found.tokens.completion) == (107, 52)


def test_a_run_that_states_its_time_alone_leaves_the_sums() -> None:
    stated = spends("run", None, None, scope="run", cached=None, duration_ms=9)
    found = figures(begin(), spends("a", 10, 1), stated).together
    assert (found.tokens.prompt, found.time.active_ms, found.time.source) == (10, 9, "log")


def test_turns_are_added_where_only_turns_are_stated() -> None:
    turns = [spends(f"t{n}", 10, 2, scope="turn", cached=None) for n in range(3)]
    found = figures(begin(), *turns, lacks=["answers"]).together
    assert (found.tokens.prompt, found.tokens.cached, found.iterations) == (30, None, None)


def test_an_answer_that_was_cut_short_makes_completion_a_lower_bound() -> None:
    tokens = figures(begin(), spends("a", 10, 1, partial=True), spends("b", 5, 1)).together.tokens
    assert (tokens.completion, tokens.completion_at_least, tokens.prompt_at_least) == (
        2,
        True,
        False,
    )
    assert tokens.total == 17


def test_a_sum_over_answers_of_which_some_do_not_say_is_a_lower_bound() -> None:
    both = [spends("a", 10, 1, cached=4, reasoning=1), spends("b", 5, 1, cached=None)]
    tokens = figures(begin(), *both).together.tokens
    assert (tokens.cached, tokens.cached_at_least) == (4, True)
    assert (tokens.reasoning, tokens.reasoning_at_least) == (1, True)
    tokens = figures(begin(), both[0]).together.tokens
    assert (tokens.cached_at_least, tokens.reasoning_at_least) == (False, False)
    unsaid = figures(begin(), both[1]).together.tokens
    assert (unsaid.cached, unsaid.cached_at_least) == (None, False)


def test_a_prompt_of_no_tokens_is_known() -> None:
    found = figures(begin(), spends("a", 0, 1), spends("b", 100, 1)).together.console
    assert found is not None
    assert (found.answers, found.unknown) == (2, 0)
    assert figures(begin(), spends("a", 0, 1)).together.console is None


def test_nothing_stated_is_unknown_and_not_zero() -> None:
    found = figures(begin(), says("user")).together
    assert found.tokens.prompt is None
    assert found.tokens.total is None
    assert found.cost == Cost(None, None)
    assert found.console is None
    assert found.time.active_ms is None


def test_iterations_without_counts_are_the_answers_that_the_format_bounds() -> None:
    events = [begin(), says("agent", key="a"), says("agent", key="a"), says("agent", key="b")]
    assert figures(*events).together.iterations == 2
    assert figures(*events, lacks=["answers"]).together.iterations is None
    assert figures(*events, says("agent")).together.iterations is None


def test_what_a_format_cannot_say_is_unknown() -> None:
    found = figures(begin("team"), says("agent", key="a"), lacks=["answers", "calls", "failures"])
    figured = found.together
    assert figured.tool_calls is figured.numeric_values is figured.python_calls is None
    unsaid = figures(begin(), bash("ls", "unknown"), lacks=["failures"]).together
    assert (unsaid.tool_calls, unsaid.failed_calls) == (1, None)
    assert figures(begin(), bash("ls"), lacks=["failures"]).together.failed_calls == 0


def test_calls_whose_end_is_not_stated_are_counted_beside_those_that_failed() -> None:
    found = figures(begin(), bash("ls", "unknown"), bash("ls", "failed"), bash("ls"))
    assert (found.together.failed_calls, found.together.unknown_calls) == (1, 1)
    assert found.tools["Bash"].unknown == 1


def test_a_stated_cost_wins_and_says_so_and_a_stated_zero_is_zero() -> None:
    assert figures(begin(), spends("a", 10, 1, cost_nano=0)).together.cost == Cost(0, "log")
    both = [spends("a", 10, 1, cost_nano=5), spends("run", 10, 1, scope="run", cost_nano=9)]
    assert figures(begin(model=MODEL), *both).together.cost == Cost(9, "log")


def test_else_cost_follows_from_the_price_table_where_all_of_it_is_known() -> None:
    spent = spends("a", 100, 10, cached=20)
    found = figures(begin(model=MODEL), spent).together.cost
    assert found == Cost(80 * 5000 + 20 * 500 + 10 * 30_000, "prices")
    assert figures(begin(model="unheard-of"), spent).together.cost == Cost(None, None)
    unsure = spends("b", 100, 10, partial=True)
    assert figures(begin(model=MODEL), spent, unsure).together.cost == Cost(None, None)


def test_answers_behind_a_stated_cost_cost_their_price_too_or_all_is_unknown() -> None:
    run = spends("run", 10, 1, scope="run", cost_nano=9)
    dear = figures(begin(model=MODEL), spends("a", 10, 1), run, spends("b", 100, 10)).together
    assert dear.cost == Cost(9 + 100 * 5000 + 10 * 30_000, "prices")
    stated = figures(begin(), run, spends("b", 100, 10, cost_nano=4)).together
    assert stated.cost == Cost(13, "log")
    assert figures(begin(), run, spends("b", 100, 10)).together.cost == Cost(None, None)


def test_an_output_is_in_the_context_of_every_later_answer() -> None:
    found = figures(
        begin(),
        spends("a", 100, 1), bash("ls", output="x" * 40),
        spends("b", 100, 1), spends("c", 100, 1),
    ).together.console  # fmt: skip
    assert found is not None
    assert (found.console_characters, found.prompt_tokens) == (80, 300)
    assert found.share == pytest.approx(80 / 4 / 300)
    assert found.shell_share == found.share


def test_an_output_between_the_records_of_an_answer_is_not_in_its_context() -> None:
    parts = [says("agent", key="a"), bash("ls", output="x" * 40), spends("a", 100, 1)]
    found = figures(begin(), *parts).together.console
    assert found is not None
    assert found.console_characters == 0


def test_a_compaction_empties_the_context_and_falling_tokens_do_not() -> None:
    before = [bash("ls", output="x" * 40), spends("a", 100, 1)]
    cut = figures(begin(), *before, compacted(), spends("b", 50, 1)).together.console
    kept = figures(begin(), *before, spends("b", 50, 1)).together.console
    assert cut is not None
    assert kept is not None
    assert (cut.console_characters, kept.console_characters) == (40, 80)


def test_a_sub_agent_is_a_context_of_its_own() -> None:
    inner = within([*bash("ls", output="x" * 40), spends("b", 10, 1)], thread="a1")
    found = figures(begin(), spends("a", 100, 1), *inner, spends("c", 100, 1))
    assert found.together.console is not None
    assert found.main.console is not None
    assert found.main.console.console_characters == 0
    assert found.together.console.console_characters == 40
    assert (found.main.tool_calls, found.sub_agents["a1"].tool_calls) == (0, 1)
    assert (found.main.tokens.prompt, found.sub_agents["a1"].tokens.prompt) == (200, 10)


def test_answers_without_prompt_tokens_are_left_out_and_counted() -> None:
    found = figures(begin(), spends("a", None, 1), spends("b", 100, 1)).together.console
    assert found is not None
    assert (found.answers, found.unknown) == (1, 1)


def test_a_log_that_begins_in_the_middle_gives_a_lower_bound() -> None:
    found = figures(begin(continues=True), spends("a", 100, 1)).together.console
    assert found is not None
    assert found.lower_bound


T = "2026-01-01T00:00:0{}Z"


def test_time_is_the_models_before_words_and_calls_and_the_tools_before_results() -> None:
    events = [
        begin(time=T.format(0)), says("user", time=T.format(1)),
        says("agent", key="a", time=T.format(3)),
        *timed(bash("ls"), T.format(4), T.format(7)),
        says("agent", key="b", time=T.format(9)),
    ]  # fmt: skip
    found = figures(*events).together.time
    assert (found.active_ms, found.model_ms, found.tools_ms, found.source) == (
        8000,
        5000,
        3000,
        "times",
    )


def test_waiting_for_a_person_is_nobodys_time() -> None:
    events = [says("agent", key="a", time=T.format(0)), says("user", time=T.format(8)),
              says("agent", key="b", time=T.format(9))]  # fmt: skip
    assert figures(begin(time=T.format(0)), *events).together.time.active_ms == 1000


def test_a_tool_gets_the_time_it_states_where_its_call_was_recorded_late() -> None:
    asked, answered = timed(bash("ls"), T.format(5), T.format(5))
    late = within([answered], duration_ms=3000)
    found = figures(begin(time=T.format(0)), says("user", time=T.format(1)), asked, *late).together
    assert (found.time.model_ms, found.time.tools_ms) == (1000, 3000)


def test_times_that_run_backwards_are_never_negative() -> None:
    events = [says("user", time=T.format(8)), says("agent", key="a", time=T.format(2)),
              says("agent", key="b", time=T.format(9))]  # fmt: skip
    found = figures(begin(), *events).together.time
    assert (found.model_ms, found.tools_ms) == (1000, 0)


def test_without_times_of_the_agent_the_split_is_unknown() -> None:
    found = figures(begin(time=T.format(0)), says("agent", key="a"), *timed(
        bash("ls"), None, T.format(5))).together.time  # fmt: skip
    assert (found.active_ms, found.model_ms, found.tools_ms) == (None, None, None)


def test_first_and_last_time_are_in_utc() -> None:
    events = [says("user", time="2026-01-01T02:00:00.1239+02:00"), says("agent", time=T.format(9))]
    found = figures(begin(), *events)
    assert (found.first, found.last) == ("2026-01-01T00:00:00.123Z", "2026-01-01T00:00:09.000Z")
