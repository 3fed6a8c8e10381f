"""A script is read as the commands that it runs; nothing that the shell computes is guessed."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.trajectory.shell.commands import Redirect, parse_argv, parse_script


def words(script: str) -> list[tuple[str | None, ...]]:
    return [command.words for command in parse_script(script).commands]


def test_commands_of_pipelines_lists_and_substitutions_are_counted() -> None:
    script = "echo hi | grep h && wc -c; echo $(python -c 'print(1)')"
    names = [command.name for command in parse_script(script).commands]
    assert sorted(name or "" for name in names) == ["echo", "echo", "grep", "python", "wc"]


@pytest.mark.parametrize(
    "script",
    [
        """bash -lc 'echo "it'"'"'s"'""",
        """/bin/bash -lc "echo \\"it's\\"\"""",
        """sh -c 'bash -c "echo \\"it'"'"'s\\""'""",
        "timeout 5 env A=1 echo it\\'s",
        "sudo -u root nohup echo it\\'s",
    ],
)
def test_one_level_of_quoting_and_wrappers_are_taken_off(script: str) -> None:
    assert words(script) == [("echo", "it's")]


def test_escapes_of_ansi_c_are_read_once_or_unknown() -> None:
    assert words(r"echo $'a\\n\tb' $'\x41' $'\101'") == [("echo", "a\\n\tb", None, None)]


def test_words_with_expansions_are_unknown() -> None:
    assert words('rm "$x" a$b `c` d')[-1] == ("rm", None, None, None, "d")


def test_double_quotes_keep_most_backslashes() -> None:
    assert words(r'printf "a\nb\"c\$d\\e"') == [("printf", r'a\nb"c$d\e')]


def test_redirects_belong_to_the_last_command_of_a_list() -> None:
    first, last = parse_script("cd a && echo b > c 2>&1").commands
    assert first.redirects == ()
    assert last.redirects == (Redirect(">", "c"), Redirect("2>&", "1"))


def test_a_group_that_is_redirected_writes_what_only_the_shell_knows() -> None:
    group = parse_script("{ echo a; echo b; } > c").commands[-1]
    assert (group.words, group.redirects) == ((None,), (Redirect(">", "c"),))


def test_what_may_not_run_is_conditional() -> None:
    script = "a && b || c; if d; then e; fi; for x in 1 2; do f; done; g"
    conditional = {c.name: c.conditional for c in parse_script(script).commands}
    assert conditional["g"] is conditional["a"] is False
    assert conditional["c"] and conditional["e"] and conditional["f"]


def test_a_pipe_links_a_command_to_its_input() -> None:
    commands = parse_script("cat <<'E' | tee f | wc -l\nx\nE\n").commands
    assert [c.piped_from for c in commands] == [None, 0, 1]
    assert [c.pipes_on for c in commands] == [True, True, False]
    assert commands[0].stdin is not None and commands[0].stdin.text == "x\n"


def test_the_script_of_a_shell_starts_pipes_of_its_own() -> None:
    commands = parse_script("ls; bash -c 'a | b'; c | d").commands
    assert [(c.name, c.piped_from) for c in commands] == [
        ("ls", None),
        ("a", None),
        ("b", 1),
        ("c", None),
        ("d", 3),
    ]


def test_words_that_are_apart_are_not_parsed_again() -> None:
    assert parse_argv(["echo", "a; rm b"]).commands[0].words == ("echo", "a; rm b")
    assert words("echo x")[0] == parse_argv(["bash", "-lc", "echo x"]).commands[0].words


def test_a_script_that_cannot_be_parsed_says_so() -> None:
    assert parse_script('echo "never closed').broken


@given(st.lists(st.text("ab'\"\\ $`\n*", min_size=1, max_size=8), min_size=1, max_size=4))
def test_quoted_words_come_back_as_they_were(arguments: list[str]) -> None:
    script = shlex.join(["echo", *arguments])
    assert words(script) == [("echo", *arguments)]
    assert words(f"bash -lc {shlex.quote(script)}") == [("echo", *arguments)]


@given(st.text("ab |&;<>(){}$'\"`\n#=!\\", max_size=50))
def test_no_text_breaks_the_parser(script: str) -> None:
    parse_script(script)
