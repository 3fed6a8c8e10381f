"""Here-documents are taken out of a script as the shell would read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.trajectory.shell.heredocs import PREFIX, Heredoc, take_heredocs


def bodies(script: str) -> list[str]:
    return [heredoc.text for heredoc in take_heredocs(script)[1]]


def test_the_body_is_kept_with_its_last_line_end() -> None:
    plain, found = take_heredocs("cat > f <<'EOF'\na\nb\nEOF\nls\n")
    assert found == (Heredoc("a\nb\n", True, "EOF"),)
    assert plain == f"cat > f < {PREFIX}0\nls\n"


def test_an_unquoted_delimiter_lets_the_shell_expand() -> None:
    assert [h.literal for h in take_heredocs('a <<E\nE\nb <<"E"\nE\nc <<\\E\nE\n')[1]] == [
        False,
        True,
        True,
    ]


def test_a_dash_takes_tabs_off_every_line() -> None:
    assert bodies("cat <<-E\n\ta\n\t\tb\n\tE\n") == ["a\nb\n"]


def test_two_on_one_line_follow_each_other() -> None:
    assert bodies("paste <<A - <<B\n1\nA\n2\nB\n") == ["1\n", "2\n"]


def test_inside_a_quoted_substitution_it_is_one_too() -> None:
    script = 'git commit -m "$(cat <<\'EOF\'\nit\'s "new"\nEOF\n)" && ls'
    plain, found = take_heredocs(script)
    assert [h.text for h in found] == ['it\'s "new"\n']
    assert plain.endswith(')" && ls')


def test_shifts_here_strings_quotes_and_comments_are_none() -> None:
    for script in ("a=$((1 << 2))\n", "cat <<< word\n", "echo '<<EOF'\n", "ls # <<EOF\n"):
        assert take_heredocs(script) == (script, ())


def test_a_body_that_never_ends_is_marked() -> None:
    assert take_heredocs("cat <<EOF\na\nb")[1] == (Heredoc("a\nb", False, "EOF", closed=False),)


@given(st.lists(st.text("ab '\"$`\\<#", max_size=12), max_size=6))
def test_any_body_comes_back_as_it_was(lines: list[str]) -> None:
    body = "".join(f"{line}\n" for line in lines if line != "STOP")
    script = f"cat > f <<'STOP'\n{body}STOP\necho done\n"
    plain, found = take_heredocs(script)
    assert found[0].text == body
    assert plain == f"cat > f < {PREFIX}0\necho done\n"


@given(st.text("ab'\"$(`)\\<>#\nE \t-", max_size=60))
def test_no_text_breaks_the_lexer_and_nothing_else_is_taken(script: str) -> None:
    plain, found = take_heredocs(script)
    assert (_joined(plain) == _joined(script)) == (not found)
    assert plain == script or found or "\\\n" in script


def _joined(script: str) -> str:
    return script.replace("\\\n", "")


@pytest.mark.parametrize(
    ("script", "plain"),
    [
        ("a d/\\\nf", "a d/f"), ('"a\\\nb"', '"ab"'), ("'a\\\nb'", "'a\\\nb'"),
        ("a\\\\\nb", "a\\\\\nb"),
        ("# a\\\nb", "# a\\\nb"), ("a\\\n#b", "a#b"), ("a \\\n#b\\\n", "a #b\\\n"),
    ],
)  # fmt: skip
def test_a_line_goes_on_where_the_shell_says(script: str, plain: str) -> None:
    assert take_heredocs(script) == (plain, ())
