"""Patches are applied where they fit, and nowhere by guess."""

from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from benchwright.trajectory.files.patches import (
    apply_hunks,
    apply_structured,
    apply_unified,
    parse_patch,
)

PATCH = """*** Begin Patch
*** Add File: new.py
+a = 1
+
*** Update File: old.py
@@ def f():
-    return 1
+    return 2
@@
 end
+more
*** End of File
*** Update File: was.py
*** Move to: now.py
@@
-x
+y
*** Delete File: gone.py
*** End Patch
"""

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "", "  d"]), max_size=9).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)


def test_every_action_of_a_patch_is_read() -> None:
    files = parse_patch(PATCH)
    assert [(f.action, f.path, f.moved_to) for f in files] == [
        ("add", "new.py", None),
        ("update", "old.py", None),
        ("update", "was.py", "now.py"),
        ("delete", "gone.py", None),
    ]
    assert files[0].text == "a = 1\n\n"


def test_hunks_are_found_by_their_lines_and_their_context() -> None:
    text = "def e():\n    return 1\ndef f():\n    return 1\nend\nend\n"
    changed = apply_hunks(text, parse_patch(PATCH)[1].hunks)
    assert changed == "def e():\n    return 1\ndef f():\n    return 2\nend\nend\nmore\n"


def test_a_hunk_that_is_not_there_changes_nothing() -> None:
    assert apply_hunks("other\n", parse_patch(PATCH)[1].hunks) is None


def test_a_hunk_whose_header_is_not_there_changes_nothing() -> None:
    assert apply_hunks("    return 1\nend\n", parse_patch(PATCH)[1].hunks) is None


def test_text_that_is_no_patch_has_no_files() -> None:
    assert parse_patch("--- a\n+++ b\n") == ()


@given(TEXTS, TEXTS)
def test_a_unified_diff_of_two_texts_leads_from_one_to_the_other(old: str, new: str) -> None:
    diff = "".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True)))
    assert (apply_unified(old, diff) if diff else old) == new


@given(TEXTS, TEXTS, TEXTS)
def test_a_diff_never_fits_a_text_without_its_old_lines(old: str, new: str, other: str) -> None:
    diff = "".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), n=99))
    if diff and other.rstrip("\n") != old.rstrip("\n"):
        assert apply_unified(other, diff) in (None, other.replace(old, new, 1))


def test_a_missing_last_line_end_is_respected() -> None:
    end = "\\ No newline at end of file"
    assert apply_structured("a\nb", [{"oldStart": 2, "lines": ["-b", end, "+c", end]}]) == "a\nc"
    assert apply_structured("a\nb", [{"oldStart": 2, "lines": ["-b", end, "+c"]}]) == "a\nc\n"
    assert apply_structured("a\nb\n", [{"oldStart": 2, "lines": ["-b", "+c", end]}]) == "a\nc"


def test_hunks_of_a_wrong_shape_fit_nothing() -> None:
    assert apply_structured("a\n", [{"lines": ["-a"]}]) is None
    assert apply_structured("a\n", [{"oldStart": "x", "lines": ["-a"]}]) is None
