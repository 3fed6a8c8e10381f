"""What a file held: exact where the log says so, else partial or unavailable, with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.trajectory.files.reconstruct import matching, mentions, reconstruct
from benchwright.trajectory.files.workspace import LARGEST
from tests.trajectory.files.events import answer, bash, call, changes, edit, held, log, write

F = "/w/f"


def test_an_empty_file_that_was_written_is_exact() -> None:
    assert held("/w/__init__.py", write("/w/__init__.py", "")) == ("exact", "")


def test_a_write_that_failed_was_refused_or_unsaid_changes_nothing() -> None:
    for status in ("failed", "refused"):
        assert held(F, write(F, "a"), write(F, "b", status)) == ("exact", "a")  # type: ignore[arg-type]
    assert held(F, write(F, "a"), write(F, "b", None)) == ("partial", "a")


def test_failed_calls_are_listed_with_their_status() -> None:
    listed = changes(write(F, "a"), write(F, "b", "failed"), write(F, "c", "refused")).changes
    assert [c.status for c in listed] == ["ok", "failed", "refused"]
    assert [c.kind for c in listed] == ["write", "nothing", "nothing"]


def test_an_edit_is_applied_to_the_text_before_it() -> None:
    assert held(F, write(F, "a b"), edit(F, "a", "c")) == ("exact", "c b")
    assert held(F, write(F, "a a"), edit(F, "a", "c", "failed")) == ("exact", "a a")


def test_an_edit_that_does_not_fit_leaves_a_doubt() -> None:
    assert held(F, write(F, "a"), edit(F, "x", "y")) == ("partial", "a")


def test_an_edit_of_an_unknown_file_is_unavailable_and_says_why() -> None:
    found = answer(F, edit(F, "a", "b"))
    assert (found.certainty, found.text) == ("unavailable", None)
    assert "before is not in the log" in found.reasons[0]


def test_the_original_text_in_a_result_makes_an_edit_exact() -> None:
    assert held(F, edit(F, "a", "b", originalFile="a c")) == ("exact", "b c")


def test_what_changed_unseen_before_an_edit_is_said() -> None:
    found = answer(F, write(F, "a"), edit(F, "a", "b", originalFile="a  # tidied"))
    assert (found.certainty, found.text) == ("exact", "b  # tidied")
    assert len(found.drifted) == 1


def test_an_edit_that_does_not_fit_the_text_stated_before_it_is_no_longer_exact() -> None:
    assert held(F, write(F, "a"), edit(F, "a", "b", originalFile="a a"))[0] == "partial"


def test_a_change_by_a_person_is_taken_from_the_patch() -> None:
    hunks = [{"oldStart": 1, "lines": ["-a", "+person"]}]
    twin = {"originalFile": "a\n", "userModified": True, "structuredPatch": hunks}
    assert held(F, edit(F, "a", "agent", **twin)) == ("exact", "person\n")
    alone = {"originalFile": "a\n", "userModified": True}
    assert held(F, edit(F, "a", "agent", **alone))[0] == "unavailable"


def test_an_edit_of_nothing_makes_a_file_only_where_there_was_none() -> None:
    assert held(F, edit(F, "", "new")) == ("exact", "new")
    assert held(F, write(F, ""), edit(F, "", "new")) == ("exact", "new")
    assert held(F, write(F, "a"), edit(F, "", "new"))[0] == "partial"
    assert held(F, write(F, "a"), edit(F, "", "new", originalFile=""))[0] == "exact"


def test_a_folder_that_the_log_does_not_tell_stays_unknown_in_later_calls() -> None:
    for first in (
        "cd $D",
        "cd $(mktemp -d)",
        "source setup.sh",
        "cd d 2>/dev/null",
        "CDPATH=/; cd d",
    ):
        assert held(F, write(F, "a"), bash(first), bash("echo b > f"))[0] == "partial", first
        assert held(F, write(F, "a"), bash(first), bash("rm f"))[0] == "partial", first
        again = (bash(first), bash("cd /w"), bash("echo b > f"))
        assert held(F, write(F, "a"), *again) == ("exact", "b\n"), first


def test_a_command_in_the_background_can_write_at_any_later_time() -> None:
    job = call("Bash", {"command": "sleep 9; echo b > f", "run_in_background": True})
    assert held(F, job, write(F, "a"))[0] == "partial"
    told = bash("sleep 9; echo b > f", output="Process running with session ID 7")
    assert held(F, told, write(F, "a"))[0] == "partial"
    assert held(F, bash("echo b > f", None), write(F, "a"))[0] == "partial"
    assert held("/w/g", job, write("/w/g", "a")) == ("exact", "a")


def test_a_tool_that_nobody_listed_can_write_what_it_names() -> None:
    named = call("mcp__disk__save", {"where": F, "body": "b"})
    assert held(F, write(F, "a"), named) == ("partial", "a")
    assert held("/w/g", write("/w/g", "a"), named) == ("exact", "a")
    failed = call("mcp__disk__save", {"where": F, "body": "b"}, "failed")
    assert held(F, write(F, "a"), failed) == ("exact", "a")
    assert list(changes(named).changes) == []


def test_what_is_typed_into_a_program_can_write_every_file() -> None:
    assert held(F, write(F, "a"), call("write_stdin", {"chars": "x"}))[0] == "partial"
    assert held(F, write(F, "a"), call("write_stdin", {"chars": ""}))[0] == "exact"


def test_several_edits_in_one_call_follow_each_other() -> None:
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "b", "new_string": "c"}]
    several = call("MultiEdit", {"file_path": F, "edits": edits})
    assert held(F, write(F, "a"), several) == ("exact", "c")


def test_a_replace_counts_what_it_expects() -> None:
    def replace(count: int) -> list[object]:
        arguments = {"file_path": F, "old_string": "a", "new_string": "b"}
        return call("replace", {**arguments, "expected_replacements": count})  # type: ignore[return-value]

    assert held(F, write(F, "aaa"), replace(3)) == ("exact", "bbb")  # type: ignore[arg-type]
    assert held(F, write(F, "aaa"), replace(1)) == ("partial", "aaa")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "script",
    [
        "cat > f <<'EOF'\na $x\nEOF",
        "cat <<'EOF' > f\na $x\nEOF",
        "tee f <<'EOF'\na $x\nEOF",
        "cat <<'EOF' | tee f > /dev/null\na $x\nEOF",
        "cat > ./f <<'EOF'\na $x\nEOF",
        "cd /w && cat > f <<'EOF'\na $x\nEOF",
        "cd / && cd w && cat > f <<'EOF'\na $x\nEOF",
        "echo 'a $x' > f",
        "printf 'a $x\\n' > f",
        "bash -lc \"cat > f <<'EOF'\na \\$x\nEOF\"",
        "echo b > g; echo 'a $x' > f; cat f",
        "echo 'a $x' > g; mv g f",
        "echo 'a $x' > g && cp g f",
    ],
)
def test_a_shell_command_that_writes_what_it_says_is_exact(script: str) -> None:
    assert held(F, bash(script)) == ("exact", "a $x\n")


def test_appending_joins_to_what_was_known() -> None:
    assert held(F, write(F, "a\n"), bash("cat >> f <<'E'\nb\nE")) == ("exact", "a\nb\n")
    assert held(F, bash("echo b >> f")) == ("partial", "b\n")
    assert held(F, bash("rm f"), bash("echo b >> f")) == ("exact", "b\n")


@pytest.mark.parametrize(
    "script",
    [
        "sed -i s/a/b/ f",
        "python fix.py f",
        "python - <<'E'\nopen('f','w').write('x')\nE",
        "prettier --write .",
        "git checkout -- .",
        "ls || echo b > f",
        "echo $x > f",
        "cat > f <<EOF\n$x\nEOF",
        "for i in 1 2; do echo $i > f; done",
        "sort g > f",
        "rm -f *",
        "cp -r a b f",
    ],
)
def test_an_opaque_writer_lowers_confidence_from_then_on(script: str) -> None:
    found = answer(F, write(F, "a\n"), bash(script))
    assert found.certainty == "partial"
    assert found.reasons


@pytest.mark.parametrize("script", ["cat f", "grep a f | head", "git diff f", "ls > g", "wc -l f"])
def test_a_reader_leaves_a_file_exact(script: str) -> None:
    assert held(F, write(F, "a\n"), bash(script)) == ("exact", "a\n")


def test_a_command_that_failed_may_have_come_some_way() -> None:
    first = bash("cat > f <<'E'\na\nE\npython f", "failed", "Traceback")
    assert held(F, first) == ("exact", "a\n")
    nowhere = bash("echo a > f", "failed", "bash: f: Permission denied")
    assert held(F, nowhere)[0] != "exact"


def test_a_command_that_was_never_answered_or_refused() -> None:
    assert held(F, write(F, "a"), bash("echo b > f", None))[0] == "partial"
    assert held(F, write(F, "a"), bash("echo b > f", "refused")) == ("exact", "a")


def test_a_deleted_file_is_exactly_absent() -> None:
    found = answer(F, write(F, "a"), bash("rm -f f"))
    assert (found.certainty, found.text, found.exists) == ("exact", None, False)
    assert answer("/w/d/f", write("/w/d/f", "a"), bash("rm -rf d")).exists is False


def test_a_patch_in_a_command_is_applied() -> None:
    patch = "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch\n"
    assert held(F, write(F, "a\n"), bash(f"apply_patch <<'E'\n{patch}E")) == ("exact", "b\n")
    argv = call("shell", {"command": ["apply_patch", patch], "workdir": "/w"})
    assert held(F, write(F, "a\n"), argv) == ("exact", "b\n")
    failed = call("shell", {"command": ["apply_patch", patch], "workdir": "/w"}, "failed")
    assert held(F, write(F, "a\n"), failed)[1] == "a\n"


def test_the_text_of_a_full_read_is_a_base() -> None:
    file = {"filePath": F, "content": "a\n", "startLine": 1, "numLines": 1, "totalLines": 1}
    read = call("Read", {"file_path": F}, twin={"file": file})
    assert held(F, read, edit(F, "a", "b")) == ("exact", "b\n")
    long = call("Read", {"file_path": F}, twin={"file": {**file, "content": "a" + "b" * 2000}})
    assert held(F, long, edit(F, "ab", "c"))[0] == "unavailable"
    part = call("Read", {"file_path": F}, twin={"file": {**file, "totalLines": 9}})
    assert held(F, part, edit(F, "a", "b"))[0] == "unavailable"


def test_a_name_that_fits_several_paths_lists_them() -> None:
    paths = ["/w/data.py", "/w/a.py", "/w/sub/a.py"]
    assert matching(paths, "a.py") == ["/w/a.py", "/w/sub/a.py"]
    assert matching(paths, "sub/a.py") == ["/w/sub/a.py"]
    assert matching(paths, "/w/a.py") == ["/w/a.py"]
    assert matching(paths, "ta.py") == []


def test_the_real_workspace_wins(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("real\n", encoding="utf-8")
    calls = (write(F, "a\n"),)
    found = reconstruct(log(*calls), changes(*calls).changes, F, workspace=tmp_path)
    assert (found.certainty, found.text, found.source) == ("exact", "real\n", "workspace")


def test_a_file_of_the_same_name_elsewhere_in_the_workspace_is_not_exact(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("another\n", encoding="utf-8")
    calls = (write("/w/sub/f", "a\n"),)
    found = reconstruct(log(*calls), changes(*calls).changes, "/w/sub/f", workspace=tmp_path)
    assert found.certainty == "partial"
    assert "can be another file" in found.reasons[0]


def test_a_workspace_above_the_folder_of_the_run_leaves_a_doubt(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "f").write_text("real\n", encoding="utf-8")
    (tmp_path / "f").write_text("another\n", encoding="utf-8")
    calls = (write(F, "a\n"),)
    found = reconstruct(log(*calls), changes(*calls).changes, F, workspace=tmp_path)
    assert (found.certainty, found.text) == ("partial", "real\n")


def test_a_huge_file_of_the_workspace_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "f").open("wb") as file:
        file.truncate(LARGEST + 1)
    calls = (write(F, "a\n"),)
    found = reconstruct(log(*calls), changes(*calls).changes, F, workspace=tmp_path)
    assert (found.certainty, found.text, found.source) == ("partial", "a\n", "log")
    assert "bytes, which is not read" in found.reasons[0]


def test_a_link_in_the_workspace_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "f").symlink_to("/etc/passwd")
    calls = (write(F, "a\n"),)
    found = reconstruct(log(*calls), changes(*calls).changes, F, workspace=tmp_path)
    assert (found.text, found.source) == ("a\n", "log")


def test_no_folder_of_the_workspace_leads_out_of_it(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "f").write_text("private")
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / "w").symlink_to(tmp_path / "home")
    calls = (write(F, "a\n"),)
    found = reconstruct(log(*calls), changes(*calls).changes, F, workspace=tmp_path / "left")
    assert (found.text, found.source) == ("a\n", "log")


def test_what_the_workspace_lacks_or_holds_as_no_text_is_not_exact(tmp_path: Path) -> None:
    calls = (write(F, "a\n"),)
    lacks = reconstruct(log(*calls), changes(*calls).changes, F, workspace=tmp_path)
    assert (lacks.certainty, lacks.text) == ("partial", "a\n")
    (tmp_path / "f").write_bytes(b"\xff\n")
    found = reconstruct(log(*calls), changes(*calls).changes, F, workspace=tmp_path)
    assert (found.certainty, found.source) == ("partial", "workspace")


def test_the_workspace_says_nothing_about_an_earlier_place(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("b")
    calls = (write(F, "a"), write(F, "b"))
    second = calls[1][0].anchor.line
    found = reconstruct(log(*calls), changes(*calls).changes, F, before=second, workspace=tmp_path)
    assert (found.certainty, found.text) == ("exact", "a")


@pytest.mark.parametrize(
    "script",
    [
        "n=data.csv; echo b > $n",
        "for n in *; do echo b > $n; done",
        "make 2> data.csv",
        "sort -u -o data.csv x",
        "awk -i inplace '{print}' data.csv",
        "find . -type f -exec sed -i s/a/b/ {} +",
        "fd -x sed -i s/a/b/",
        "cp ../other/* .",
        "cd $n; echo b > data.csv",
        "echo b > ~/data.csv",
        "echo * > data.csv",
        "echo $'\\101' > data.csv",
        "source data.csv",
        "make 2>&1",
        "npm run build",
        "mytool",
    ],
)
def test_what_can_reach_a_file_leaves_it_partial(script: str) -> None:
    assert held("/w/data.csv", write("/w/data.csv", "a"), bash(script)) == ("partial", "a")


@pytest.mark.parametrize(
    "script",
    ["sort data.csv", "awk 1 data.csv", "find . -name '*.py' -delete", "cat x 2>&$n"],
)
def test_what_cannot_leaves_it_exact(script: str) -> None:
    assert held("/w/data.csv", write("/w/data.csv", "a"), bash(script)) == ("exact", "a")


def test_a_place_before_the_end_can_be_asked_for() -> None:
    calls = (write(F, "a"), write(F, "b"))
    second = calls[1][0].anchor.line
    assert reconstruct(log(*calls), changes(*calls).changes, F, before=second).text == "a"


def test_a_name_is_found_in_words_and_patterns_only_whole() -> None:
    assert mentions("python x f.py", "/w/f.py") and mentions("black *.py", "/w/f.py")
    assert not mentions("python xf.py f.pyc", "/w/f.py")


WRITES = st.lists(st.tuples(st.sampled_from("wea"), st.sampled_from("abc")), max_size=8)


@given(WRITES)
def test_an_exact_answer_is_what_a_real_file_would_hold(steps: list[tuple[str, str]]) -> None:
    text, calls = "", [write(F, "")]
    for kind, letter in steps:
        if kind == "w":
            text = f"{letter}\n"
            calls.append(write(F, text))
        elif kind == "a":
            text += f"{letter}\n"
            calls.append(bash(f"echo {letter} >> f"))
        elif text.count(letter) == 1:
            text = text.replace(letter, "z")
            calls.append(edit(F, letter, "z"))
    assert held(F, *calls) == ("exact", text)


def test_a_patch_that_takes_every_line_leaves_an_empty_file() -> None:
    takes = "*** Begin Patch\n*** Update File: /w/f\n@@\n-a\n*** End Patch"
    assert held(F, write(F, "a\n"), call("apply_patch", {"input": takes})) == ("exact", "")


def test_only_line_feeds_part_the_lines_of_a_patch() -> None:
    adds = "*** Begin Patch\r\n*** Add File: /w/f\r\n+a\x0cb\r\n*** End Patch"
    assert held(F, call("apply_patch", {"input": adds})) == ("exact", "a\x0cb\n")
