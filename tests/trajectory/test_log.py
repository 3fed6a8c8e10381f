"""Opening a log: which dialect it has, from several records, and what is said where it has none."""

from __future__ import annotations

import codecs
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import FormatError
from benchwright.trajectory.events import Call, Message
from benchwright.trajectory.log import open_log
from benchwright.trajectory.readers import DIALECTS
from tests.trajectory.readers.claude_records import assistant, closing, init, kept, use, user

STREAM = [init(), user("go"), assistant(use("c1")), closing()]
EXPORT = {
    "info": {"id": "ses_1", "version": "1.0", "projectID": "p", "time": {"created": 1}},
    "messages": [{"info": {"id": "msg_1", "role": "user", "sessionID": "ses_1"}, "parts": []}],
}


def put(folder: Path, data: bytes) -> Path:
    path = folder / "log"
    path.write_bytes(data)
    return path


def jsonl(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def refusal(path: Path, dialect: str | None = None) -> str:
    with pytest.raises(FormatError) as caught:
        list(open_log(path, dialect))
    message = str(caught.value)
    assert "\n" not in message
    return message


def calls(path: Path) -> list[str]:
    return [event.call_id for event in open_log(path) if isinstance(event, Call)]


@pytest.mark.parametrize(
    "before",
    [b"", b"\xef\xbb\xbf", b"npm WARN deprecated\n\n", b"null\n42\n[]\n", b"[INFO] {start}\n"],
)
def test_what_stands_before_the_first_record_does_not_decide(tmp_path: Path, before: bytes) -> None:
    path = put(tmp_path, before + jsonl(*STREAM))
    assert open_log(path).dialect.name == "claude-stream"
    assert calls(path) == ["c1"]


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_no_other_format(tmp_path: Path, codec: str) -> None:
    mark = codecs.BOM_UTF16_LE if codec == "utf-16-le" else codecs.BOM_UTF16_BE
    assert calls(put(tmp_path, mark + jsonl(*STREAM).decode().encode(codec))) == ["c1"]
    array = mark + json.dumps(STREAM, indent=1).encode(codec)
    assert calls(put(tmp_path, array)) == ["c1"]


def test_several_records_decide_and_not_the_first(tmp_path: Path) -> None:
    summary = {"type": "summary", "summary": "x", "leafUuid": "u"}
    foreign = {"type": "message", "role": "user", "content": "go"}
    records = [kept(user("go"), "u1"), kept(assistant(use("c1")), "u2", "u1")]
    assert open_log(put(tmp_path, jsonl(summary, *records))).dialect.name == "claude-session"
    assert open_log(put(tmp_path, jsonl(foreign, *records))).dialect.name == "claude-session"


def test_a_first_record_of_any_size_is_read(tmp_path: Path) -> None:
    long = {**init(), "tools": ["x" * (5 << 20)]}
    assert calls(put(tmp_path, jsonl(long, *STREAM[1:]))) == ["c1"]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("before", [b"", b"Exporting session: ses_1\n"])
def test_a_document_is_told_from_lines_however_it_is_written(
    tmp_path: Path, indent: int | None, before: bytes
) -> None:
    log = open_log(put(tmp_path, before + json.dumps(EXPORT, indent=indent).encode()))
    assert (log.dialect.name, log.whole) == ("opencode-export", True)


def test_one_line_with_one_record_is_a_log_of_one_record(tmp_path: Path) -> None:
    log = open_log(put(tmp_path, jsonl(STREAM[2])))
    assert (log.dialect.name, log.whole) == ("claude-stream", False)
    assert calls(log.path) == ["c1"]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("before", [b"", b"Run finished\n"])
def test_an_array_of_records_is_read_like_its_lines(
    tmp_path: Path, indent: int | None, before: bytes
) -> None:
    path = put(tmp_path, before + json.dumps(STREAM, indent=indent).encode())
    assert open_log(path).whole
    assert calls(path) == ["c1"]


def test_an_empty_file_an_unknown_one_and_prose_are_refused_with_what_was_seen(
    tmp_path: Path,
) -> None:
    assert "an empty file" in refusal(put(tmp_path, b""))
    assert "an empty file" in refusal(put(tmp_path, b" \n\n"))
    assert "no JSON object" in refusal(put(tmp_path, b"Dear diary,\n"))
    assert "no JSON object" in refusal(put(tmp_path, b"[]"))
    seen = refusal(put(tmp_path, jsonl({"type": "wave", "height": 1}, {"height": 2})))
    assert "2 records with keys height, type; types wave" in seen
    assert "members height" in refusal(put(tmp_path, b'{\n"height":\n1}'))


def test_a_type_that_is_no_text_is_no_reason_to_crash(tmp_path: Path) -> None:
    seen = refusal(put(tmp_path, jsonl({"type": [1]}, {"type": {"a": 1}})))
    assert "2 records with keys type" in seen


def test_zips_that_hold_no_log_or_are_damaged_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("letter.txt", "dear")
    assert "a zip with letter.txt" in refusal(path)
    data = bytearray(path.read_bytes())
    data[: len(data) // 2] = b"\0" * (len(data) // 2)
    at = data.index(b"PK\x05\x06")
    data[at + 16 : at + 20] = (1 << 31).to_bytes(4, "little")
    assert "zip" in refusal(put(tmp_path, bytes(data)))


def test_a_file_that_cannot_be_opened_and_a_folder_are_refused(tmp_path: Path) -> None:
    assert "cannot be read" in refusal(tmp_path / "absent")
    assert "cannot be read" in refusal(tmp_path)


def test_a_named_dialect_is_taken_at_its_word_and_an_unknown_name_refused(tmp_path: Path) -> None:
    path = put(tmp_path, b"only prose\n")
    log = open_log(path, "claude-stream")
    assert list(log) == []
    assert log.notes.counts == {"text": 1}
    assert "unknown dialect" in refusal(path, "claude")


def test_each_iteration_reads_anew_and_notes_are_those_of_the_last(tmp_path: Path) -> None:
    log = open_log(put(tmp_path, b"banner\n" + jsonl(*STREAM)))
    first, second = list(log), list(log)
    assert first == second
    assert log.notes.counts == {"text": 1, "unanswered": 1}
    assert sum(isinstance(event, Message) for event in first) == 1


def test_dialects_have_names_and_titles_of_their_own() -> None:
    assert len({d.name for d in DIALECTS}) == len({d.title for d in DIALECTS}) == len(DIALECTS)
