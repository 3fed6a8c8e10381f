"""What a call shows, by its tool and by its script."""

from __future__ import annotations

from typing import Any

import pytest

from benchwright.trajectory.events import Call, Result
from benchwright.trajectory.metrics.numbers.display import PLAIN, Display
from benchwright.trajectory.metrics.numbers.shown import display_of
from tests.trajectory.files.events import call


def shown(name: str, arguments: dict[str, Any], text: str = "", **parts: Any) -> Display:
    asked, result = call(name, arguments, output=text, **parts)
    assert isinstance(asked, Call)
    assert isinstance(result, Result)
    return display_of(asked, result)


def script(command: str) -> Display:
    return shown("Bash", {"command": command})


@pytest.mark.parametrize(
    "command",
    [
        "cat a.py",
        "sed -n '1,200p' src/a.ts",
        "nl -ba a.go | sed -n '1,20p' | head -5",
        "cd src && cat a.py && echo --- && cat b.py",
        "bash -lc 'cat a.py'",
        "grep -n 5 a.py",
        "(cat a.py)",
    ],
)
def test_a_script_that_shows_programs_alone_shows_source(command: str) -> None:
    assert script(command).source == "all"


@pytest.mark.parametrize(
    "command",
    [
        "cat notes.md",
        "cat a.py | wc -l",
        "cat > a.py <<'E'\nx = 5\nE",
        "python a.py",
        "ls",
        "grep -c 5 a.py",
        "rg -l 5 src",
        "sed -i s/5/6/ a.py",
        "cat a.py > b.txt",
    ],
)
def test_a_script_that_shows_no_program_shows_no_source(command: str) -> None:
    assert script(command).source == "none"


def test_a_program_beside_other_things_is_judged_by_its_lines() -> None:
    assert script("cat a.py; python a.py").source == "some"


def test_hits_have_paths_before_them_and_numbers_where_asked_for() -> None:
    assert script('rg "usage" src -g"*.ts"') == Display(hits=True)
    assert script("grep -rn 5 docs | head") == Display(hits=True, numbered=True)


def test_rows_of_tables_and_dumps() -> None:
    assert script("head -3 data.csv").separated
    assert script("xxd a.bin | head").payload
    assert shown("Read", {"file_path": "a.csv"}).separated


@pytest.mark.parametrize("name", ["Read", "Edit", "Write"])
def test_readers_and_edits_of_programs_show_source(name: str) -> None:
    assert shown(name, {"file_path": "/w/a.py"}).source == "all"
    assert shown(name, {"file_path": "/w/a.yaml"}).source == "none"


def test_a_patch_of_programs_shows_source_and_one_of_a_document_too_does_not() -> None:
    patch = "*** Begin Patch\n*** Add File: a.py\n+x = 5\n{}*** End Patch"
    assert shown("apply_patch", {"input": patch.format("")}).source == "all"
    both = patch.format("*** Add File: b.md\n+5\n")
    assert shown("apply_patch", {"input": both}).source == "none"


def test_a_refused_call_and_an_error_of_the_harness_show_words_of_the_harness() -> None:
    assert display_of(*refused()).harness
    assert shown("Edit", {"file_path": "a.md"}, "<tool_use_error>5 matches").harness


def refused() -> tuple[Call, Result]:
    asked, result = call("Bash", {"command": "ls"}, "refused")
    assert isinstance(asked, Call)
    assert isinstance(result, Result)
    return asked, result


def test_what_is_not_known_is_read_as_it_is() -> None:
    _, result = refused()
    assert shown("read_series", {"tag": "valve"}) == PLAIN
    assert shown("Bash", {}) == PLAIN
    assert display_of(None, Result(result.anchor, "c", "ok", "5")) == PLAIN
