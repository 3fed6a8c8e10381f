"""What the facts say of trajectory metrics (tracebench 17, behaviours 25 to 32)."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchwright.errors import FormatError
from benchwright.trajectory.log import open_log
from benchwright.trajectory.metrics.fold import measure
from benchwright.trajectory.metrics.profile import violations
from benchwright.trajectory.prices import Price, cost
from tests.trajectory.files.events import bash, call, write
from tests.trajectory.metrics.small import begin, figures, says, spends

TRACEBACK = 'Traceback (most recent call last):\n  File "<string>", line 1\nValueError: bad 5\n'
SAVES = "python -c \"import matplotlib.pyplot as plt; plt.savefig('fig.png')\""


def test_25_commands_count_in_pipelines_lists_and_substitutions() -> None:
    found = figures(
        begin(), bash("echo hi | grep h && wc -c"), bash("echo $(python -c 'print(1)')")
    )
    counts = {name: uses.count for name, uses in found.commands.items()}
    assert counts == {"echo": 2, "grep": 1, "wc": 1, "python": 1}
    assert sum(counts.values()) == 5
    assert found.commands["echo"].call_unique == 2


def test_26_two_programs_in_a_snippet_with_one_traceback_are_two_calls_and_one_failure() -> None:
    script = "python -c 'print(1)'; python -c 'raise ValueError(5)'"
    python = figures(begin(), bash(script, "failed", "1\n" + TRACEBACK)).python
    assert (python.calls, python.failed) == (2, 1)
    assert python.output_bytes == len("1\n" + TRACEBACK)
    assert [(s.executions, s.stdout_lines, s.output_bytes) for s in python.scripts.values()] == [
        (1, 0, 0),
        (1, 0, 0),
    ]


def test_26_failures_are_at_most_as_many_as_invocations() -> None:
    python = figures(begin(), bash("python -c 'x'", "failed", TRACEBACK * 3)).python
    assert python.failed == 1


def test_27_python_and_python3_of_one_script_are_one_entry_without_lines_of_code() -> None:
    python = figures(begin(), bash("python3 x.py"), bash("python ./x.py")).python
    assert set(python.scripts) == {"x.py"}
    assert python.scripts["x.py"].executions == 2
    assert python.scripts["x.py"].lines_of_code is None
    assert python.lines_of_code is None


def test_28_a_here_document_that_is_written_and_run_in_one_snippet() -> None:
    script = "cat > rule.py <<'EOF'\nimport json\nprint(1)\nEOF\npython rule.py"
    found = figures(begin(), bash(script, output="1\n"))
    assert found.cat.executed_in_same_shell_snippet == 1
    assert found.cat.python_files == {"rule.py": 1}
    assert found.cat.patterns == {"heredoc_write": 1}
    assert found.cat.heredoc_delimiters == {"EOF": 1}
    assert found.cat.followups == {"python": 1}
    assert found.python.scripts["rule.py"].lines_of_code == 2
    assert found.together.python_statements == 2


def test_29_a_plot_that_was_only_listed_was_not_inspected() -> None:
    listed = figures(begin(), bash(SAVES), bash("ls", output="fig.png\n")).together
    assert (listed.plots_generated, listed.plots_inspected) == (1, 0)


@pytest.mark.parametrize(("status", "inspected"), [("ok", 1), ("failed", 0), ("refused", 0)])
def test_29_a_plot_is_inspected_by_a_view_that_went_well(status: str, inspected: int) -> None:
    view = call("Read", {"file_path": "/w/fig.png"}, status)  # type: ignore[arg-type]
    found = figures(begin(), bash(SAVES), view).together
    assert (found.plots_generated, found.plots_inspected) == (1, inspected)


def test_30_one_user_step_equal_calls_and_observations_and_known_tools_are_accepted() -> None:
    assert violations([says("system"), says("user"), says("agent"), *bash("ls")]) == []


def test_30_words_of_the_program_and_copies_are_no_steps() -> None:
    put = [says("user", synthetic=True), says("user", copied=True), says("user", thread="a1")]
    assert violations([says("user"), *put, says("agent")]) == []


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([says("user"), says("user"), says("agent")], "2 user steps"),
        ([says("user"), says("system"), says("agent")], "1 system steps"),
        ([says("user"), *bash("ls", None)], "1 calls and 0 observations"),
        ([says("user"), *call("teleport", {})], "tools that are not known: teleport"),
        ([says("user")], "no step of the agent"),
    ],
)
def test_30_each_broken_rule_is_named(events: list[object], said: str) -> None:
    assert any(line.startswith(said) for line in violations(events))  # type: ignore[arg-type]


def test_30_a_tool_outside_the_agents_own_list_is_named_with_what_is_allowed() -> None:
    (line,) = violations([says("user"), *bash("ls")], {"read"})
    assert line == "tools that are not known: Bash; allowed: read"


def test_31_the_cost_of_the_example() -> None:
    price = Price(2500, 625, 8500)
    assert cost(price, prompt=100, cached=20, completion=10) == 297_500


def test_31_more_cached_than_prompt_tokens_are_an_error_with_its_place() -> None:
    with pytest.raises(FormatError, match="more cached than input tokens") as raised:
        figures(begin(), spends("a", 10, 1, cached=11))
    assert "line 1" in str(raised.value)


def test_32_a_library_counts_for_each_run_of_the_script_that_imports_it() -> None:
    script = "from pathlib import Path\nprint(Path('.'))\n"
    found = figures(begin(), write("/w/a.py", script), bash("python a.py"), bash("python3 a.py"))
    assert found.python.libraries == {"pathlib": 2}
    assert found.together.python_statements == 2


def test_29_images_in_the_artifact_folder_are_the_plots(tmp_path: Path) -> None:
    for name in ("a.png", "deep/b.svg", "notes.txt"):
        (tmp_path / "out" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / name).write_bytes(b"")
    log = tmp_path / "log.jsonl"
    log.write_text('{"type":"thread.started","thread_id":"t"}\n{"type":"turn.started"}\n')
    found = measure(open_log(log), tmp_path / "out").together
    assert (found.plots_generated, found.plots_inspected) == (2, 0)
