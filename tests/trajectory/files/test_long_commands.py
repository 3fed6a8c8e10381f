"""Commands made to take long: the time that reading them takes stays small."""

from __future__ import annotations

import time

import pytest

from tests.trajectory.files.events import answer, bash, write

LONG = 20_000


@pytest.mark.parametrize(
    "script",
    [
        "sed '" + " " * LONG + "\x01' f",
        "sed '" + "a\\\n" * LONG + "' f",
        "sed '" + "s/a/b/;" * LONG + "\x01' f",
        "sed 's/" + "a" * LONG + "' f",
        "sh -c '{" + "," * LONG + "'",
        "sh -c '" + "\n" * LONG + "x'",
        "sh -c '" + "{" * LONG + "'",
        "[ " + "> " * LONG + " ]",
        "cat > f <<E\n" + "$(" * LONG + "\nE",
        "cat > f <<E\n" + "`" * LONG + "\nE",
        "python3 -c '" + "(" * LONG + "'",
        "python3 -c '" + "a." * LONG + "b'",
        "python3 -c '" + "x=1;" * LONG + "'",
        "find . " + "-name a " * LONG + "-delete",
        "ln -s a b; " * 100 + "echo x > b/" + "a/" * 200 + "f",
        "(sleep 1; echo a > k) & " * 300,
    ],
    ids=lambda script: script[:16],
)
def test_a_long_command_is_judged_in_little_time(script: str) -> None:
    start = time.process_time()
    answer("/w/f", write("/w/f", "a"), bash(script), bash("echo x > g"))
    assert time.process_time() - start < 8
