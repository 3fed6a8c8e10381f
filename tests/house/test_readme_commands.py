"""The commands that a reader would copy are the ones that are run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.readme_commands import Command, commands, main, missing, run

PAGE = """
```sh
not run
```

```sh ci
echo one  # a remark
echo two \\
  three
```

```console ci
$ echo four; echo five
four
...
$ echo six
```
"""


def test_only_marked_blocks_are_taken_in_their_order() -> None:
    assert [command.line for command in commands(PAGE)] == [
        "echo one",
        "echo two    three",
        "echo four; echo five",
        "echo six",
    ]
    assert commands(PAGE)[2].shown == ("four", "...")


def test_a_page_whose_output_is_true_passes(tmp_path: Path) -> None:
    assert run(commands(PAGE), tmp_path) == 0


def test_commands_share_one_folder(tmp_path: Path) -> None:
    assert run([Command("echo x > f"), Command("cat f", ("x",))], tmp_path) == 0
    assert (tmp_path / "f").exists()


def test_a_command_that_fails_stops_the_rest(tmp_path: Path) -> None:
    assert run([Command("exit 3"), Command("touch f")], tmp_path) == 1
    assert not (tmp_path / "f").exists()


def test_other_output_than_shown_fails(tmp_path: Path) -> None:
    assert run([Command("echo 5 of 6", ("6 of 6",))], tmp_path) == 1


@pytest.mark.parametrize(
    ("shown", "output", "lacks"),
    [
        (["a", "c"], "a\nb\nc", None),
        (["c", "a"], "a\nb\nc", "a"),
        (["took ... s"], "took 3.1 s", None),
        (["took ... s"], "took 3.1 minutes", "took ... s"),
        ([""], "", None),
        (["a.c"], "abc", "a.c"),
    ],
)
def test_shown_lines_are_looked_for_in_order(
    shown: list[str], output: str, lacks: str | None
) -> None:
    assert missing(shown, output) == lacks


def test_a_block_with_a_file_name_is_written_there(tmp_path: Path) -> None:
    page = "```toml ci file=a.toml\na = 1\nb = 2\n```\n```sh ci\ngrep -c = a.toml\n```\n"
    assert run(commands(page), tmp_path) == 0
    assert (tmp_path / "a.toml").read_text() == "a = 1\nb = 2\n"


def test_a_page_without_commands_is_refused(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("```sh\nls\n```\n")
    assert main([str(tmp_path / "page.md")]) == 2


def test_the_readme_has_commands_to_run(root: Path) -> None:
    assert commands((root / "README.md").read_text())
