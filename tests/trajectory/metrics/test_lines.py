"""Lines: what is read of an output, and which rule leaves a line out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.trajectory.metrics.numbers import RULES, count_by_line, count_values
from benchwright.trajectory.metrics.numbers.display import Display
from benchwright.trajectory.metrics.numbers.lines import judge

TRACEBACK = """\
start 1
Traceback (most recent call last):
  File "a.py", line 12, in <module>
    x = 1 / 0
ZeroDivisionError: division by 0
left 2"""
FRAMED = """\
 895 |
 896 |   expect(code).toBe(0);
     |                ^
error: expected 5
 7 pass"""
SHOWN = "a.go:286:15: bad file 5\n\tos.Open(path, 5)\n\t     ^\n2 issues:"
DIFF = """\
diff --git a/x b/x
index 1234567..89abcde 100644
--- a/x
+++ b/x
@@ -1,2 +1,2 @@ def f(5):
 a = 1
-b = 2
+b = 3
 1 file changed"""


@pytest.mark.parametrize(
    ("text", "values", "rule"),
    [
        ("Exit code 1\n7", {2: 1}, "metadata"),
        ("Wall time: 2.0 seconds\nProcess exited with code 0\nOutput:\n7", {4: 1}, "metadata"),
        ("Output: total 12\nProcess Group PGID: 222", {1: 1}, "metadata"),
        ("1\n[... omitted 5 of 138 lines ...]\n2", {1: 1, 3: 1}, "metadata"),
        ("1\n<system-reminder>\n2\n</system-reminder>\n3", {1: 1, 5: 1}, "metadata"),
        (TRACEBACK, {1: 1, 6: 1}, "traceback"),
        ("    at run (a.js:12:5)\n1", {2: 1}, "traceback"),
        (FRAMED, {5: 1}, "frame"),
        (SHOWN, {4: 1}, "warning"),
        ("2026-01-16 10:01:08 WARN: 1 batch left\n5", {2: 1}, "warning"),
        ("a.py:3: FutureWarning: in 5 days\n5", {2: 1}, "warning"),
        ("[ERROR] 5 of 7 failed\n5", {2: 1}, "warning"),
        ("bash: line 60: no such file\n5", {2: 1}, "warning"),
        ("```python\nx = 5\n```\n5", {4: 1}, "fence"),
        ("```bash\nsleep 5", {}, "fence"),
        ("root@box:/app# sleep 50\n5", {2: 1}, "prompt"),
        ("$ head -5 a\n>>> f(3)\n5", {3: 1}, "prompt"),
        (DIFF, {9: 1}, "source"),
        ("00000000  23 20 4c 69  |# Li|\n5", {2: 1}, "payload"),
        ("[1] 4242\n5", {2: 1}, "process"),
        (" create mode 100644 a\n5", {2: 1}, "mode"),
    ],
)
def test_lines_that_a_rule_leaves_out_print_nothing(
    text: str, values: dict[int, int], rule: str
) -> None:
    assert count_by_line(text) == values
    assert rule in count_values(text).excluded
    assert rule in RULES


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('```json\n{"a": 5}\n```\n5', 2),
        ("```\n5\n```\n6", 2),
        ("mean error: 5\nerror rate 7", 2),
        ("0 errors, 3 warnings", 2),
        ("(fail) a > b [12.5ms]\n 3 fail", 2),
        ("  5 | 3.5\n  6 | 4.5", 4),
        ("the log says Exit code 1\n7", 2),
    ],
)
def test_what_only_looks_like_code_or_an_error_is_read(text: str, values: int) -> None:
    assert count_values(text).count == values


def test_a_long_listing_prints_links_and_sizes() -> None:
    text = (
        "total 12\n"
        "-rw-r--r--@ 1 me  staff  4096 Dec 18 13:20 a5.csv\n"
        "drwxr-xr-x 12 root root  4.0K  9  3 09:47 ..\n"
    )
    assert count_by_line(text) == {1: 1, 2: 2, 3: 2}


def test_a_column_of_process_ids_does_not_count() -> None:
    text = "  PID TTY   TIME CMD\n 4242 pts/0 00:00:01 python\n 4243 pts/0 00:00:02 bash\n\n5"
    assert count_by_line(text) == {5: 1}


def test_overwritten_states_of_a_line_were_printed() -> None:
    assert count_by_line("step (1/7)\rstep (2/7)\rdone\n") == {1: 4}


def test_colours_are_removed_first() -> None:
    assert count_by_line("\x1b[31m5\x1b[0m \x1b]8;;http://x/5\x07link\x1b]8;;\x07") == {1: 1}


def test_escapes_of_printed_json_are_white_space() -> None:
    assert count_by_line(r'{"text": "a\n5\t6", "b": "{\"value\": 7.0}"}') == {1: 3}


def test_numbers_of_a_reader_are_taken_off_before_anything_is_judged() -> None:
    text = "     1→# 5 things\n     2→```python\n     3→x = 5\n     4→```\n     5→a: 7"
    assert count_by_line(text, Display(numbered=True)) == {1: 1, 5: 1}
    assert count_by_line("1\t5\n2\t6\n", Display(numbered=True)) == {1: 1, 2: 1}


def test_hits_in_programs_do_not_count_and_hits_elsewhere_do() -> None:
    text = "src/a.py:12:x = 5\nnotes.md:3:rate 7\nlog.txt-4-level 8"
    assert count_by_line(text, Display(hits=True)) == {2: 1, 3: 1}


def test_beside_other_things_lines_that_look_like_code_are_left_out() -> None:
    text = "def f(x):\n    return 5;\nrate 7"
    assert count_by_line(text, Display("some")) == {3: 1}


def test_ids_of_nodes_of_a_page_do_not_count() -> None:
    text = "\n".join(f'[{n}] link "item {n}"' for n in range(1, 6))
    assert count_values(text).count == 5


@given(st.text("ab5. |^`>$@-+\n\t:[]\x1b\r", max_size=80), st.sampled_from(["none", "some", "all"]))
def test_every_line_is_judged_once_and_no_text_crashes(text: str, source: str) -> None:
    shown = Display(source, hits=True, numbered=True)  # type: ignore[arg-type]
    assert len(list(judge(text, shown))) == text.count("\n") + 1
    assert count_values(text, shown).count >= 0


@given(st.lists(st.text("ab 5.|", max_size=12), max_size=6))
def test_the_sum_of_the_lines_is_the_whole(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert sum(count_by_line(text).values()) == count_values(text).count
