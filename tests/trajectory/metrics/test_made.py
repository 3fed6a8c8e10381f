"""Plots, files, commands and calls: what was made, what was looked at, what was used."""

from __future__ import annotations

import pytest

from tests.trajectory.files.events import bash, call, edit, write
from tests.trajectory.metrics.small import begin, figures, within


def plots(*calls: list, agent: str = "claude-code") -> tuple[int | None, int | None]:  # type: ignore[type-arg]
    found = figures(begin(agent), *calls).together
    return found.plots_generated, found.plots_inspected


@pytest.mark.parametrize(
    "command",
    [
        "python -c \"plt.savefig('a.png')\"",
        "dot -Tpng g.dot -o a.png",
        "gnuplot p.gp > a.png",
        "python - <<'E'\nfig.savefig('/w/a.png')\nE",
    ],
)
def test_an_image_that_a_command_writes_with_success_is_a_plot(command: str) -> None:
    assert plots(bash(command)) == (1, 0)
    assert plots(bash(command, "failed")) == (0, 0)
    assert plots(bash(command, None)) == (0, 0)


def test_an_image_counts_once_however_it_is_called() -> None:
    save = "python -c \"plt.savefig('{}')\""
    assert plots(bash(save.format("a.png")), bash(save.format("./a.png"))) == (1, 0)
    assert plots(bash(save.format("out/a.png")), bash(save.format("/w/out/a.png"))) == (1, 0)
    assert plots(bash(save.format("a.png")), bash(save.format("b.pdf"))) == (2, 0)


def test_a_script_that_saves_counts_when_it_runs() -> None:
    script = write("/w/p.py", "plt.savefig('a.svg')\n")
    assert plots(script) == (0, 0)
    assert plots(script, bash("python p.py")) == (1, 0)


def test_an_image_that_was_there_before_is_not_the_agents() -> None:
    assert plots(call("Read", {"file_path": "/w/old.png"}), bash("ls a.png")) == (0, 0)


def test_looking_before_the_plot_is_made_does_not_count() -> None:
    view = call("view_image", {"path": "a.png"})
    save = bash("python -c \"plt.savefig('a.png')\"")
    assert plots(view, save, agent="codex") == (1, 0)
    assert plots(save, view, view, agent="codex") == (1, 1)


def test_an_agent_without_a_tool_for_images_has_no_figure_of_inspection() -> None:
    save = bash("python -c \"plt.savefig('a.png')\"")
    assert plots(save, agent="react") == (1, None)
    shown = call("view_image", {"path": "a.png"})
    assert plots(save, shown, agent="react") == (1, 1)


def test_created_is_what_was_written_and_not_there_before() -> None:
    found = figures(
        begin(),
        bash("echo 1 > a.txt && echo 2 >> /w/b.json"),
        write("/w/c.py", "x = 1\n"),
        write("/w/c.py", "x = 2\n"),
        call("Read", {"file_path": "/w/d.txt"}),
        write("/w/d.txt", "over"),
        edit("/w/e.py", "", "x = 1\n"),
        edit("/w/f.py", "x = 1", "x = 2"),
        write("/w/g.txt", "no", "failed"),
        bash("echo 1 > h.txt", "refused"),
    )
    assert found.files.created == ("a.txt", "/w/b.json", "/w/c.py", "/w/e.py")
    assert (found.files.python_created, found.files.json_created) == (2, 1)


def test_what_may_not_have_run_created_nothing() -> None:
    assert figures(begin(), bash("false || echo 1 > a.txt")).files.created == ()


@pytest.mark.parametrize(
    ("command", "pattern"),
    [
        ("cat a b", "file_concat_to_stdout"),
        ("cat a b > c", "file_concat_to_file"),
        ("ls | cat", "pipe_into_cat"),
        ("cat <<E > a\n1\nE", "heredoc_write"),
        ("cat", "other"),
    ],
)
def test_what_cat_was_used_for(command: str, pattern: str) -> None:
    found = figures(begin(), bash(command)).cat
    assert (found.invocations, found.patterns) == (1, {pattern: 1})


@pytest.mark.parametrize(
    ("run", "same"),
    [("sh ./a.sh", 1), ("./a.sh 5", 1), ("chmod +x a.sh && ls", 0), ("python b.py", 0)],
)
def test_a_written_file_was_executed_where_a_later_command_runs_it(run: str, same: int) -> None:
    cat = figures(begin(), bash(f"cat > a.sh <<'E'\nls\nE\n{run}")).cat
    assert cat.other_files == {"a.sh": 1}
    assert cat.executed_in_same_shell_snippet == same
    assert cat.not_executed_in_same_shell_snippet == 1 - same


def test_commands_count_in_all_and_by_the_calls_that_name_them() -> None:
    found = figures(
        begin(), bash("ls; ls a | head"), bash("ls && $X"), bash("for i in 1 2; do ls; done")
    )
    uses = {name: (u.count, u.call_unique) for name, u in found.commands.items()}
    assert uses == {"ls": (4, 3), "head": (1, 1), "(computed)": (1, 1)}


def test_calls_are_told_by_tool_and_by_how_they_ended() -> None:
    found = figures(begin(), bash("a"), bash("b", "failed"), bash("c", "refused"), bash("d", None),
                    call("Read", {"file_path": "a"}))  # fmt: skip
    use = found.tools["Bash"]
    assert (use.count, use.failed, use.refused, use.unanswered) == (4, 2, 1, 1)
    together = found.together
    assert (together.tool_calls, together.failed_calls, together.refused_calls,
            together.unanswered_calls) == (5, 2, 1, 1)  # fmt: skip


def test_numbers_are_counted_by_agent_and_by_the_rule_that_left_them_out() -> None:
    inner = within(bash("ls", output="5 6\n"), thread="a1")
    found = figures(begin(), bash("date", output="2026-01-01 7 x5\n"), *inner)
    assert (found.together.numeric_values, found.main.numeric_values) == (3, 1)
    assert found.numbers_excluded == {"moment": 1, "identifier": 1}
    assert found.outputs == 2
