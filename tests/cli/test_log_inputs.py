"""`log` as a process: its options, inputs that are no plain files, closed pipes, odd names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import atif
import pytest

from tests.cli.test_log import codex, ran


def call(*words: str | bytes | Path, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """`benchwright log WORDS` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "benchwright", "log", *words], cwd=cwd, capture_output=True,
        timeout=60, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def refused(done: subprocess.CompletedProcess[bytes]) -> str:
    """The one line of an error, with nothing on stdout and code 2."""
    line = done.stderr.decode()
    assert (done.returncode, done.stdout, line.count("\n")) == (2, b"", 1), line
    assert line.startswith("benchwright: ")
    return line


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    said = {"type": "agent_message", "text": "word " * 40}
    path.write_text(codex(ran("echo a > f"), ran("echo b >> f"), *[said] * 2000))
    return path


@pytest.mark.parametrize("verb", ["timeline", "atif"])
def test_what_can_be_read_once_only_is_refused_in_one_line(verb: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "no regular file" in refused(call(verb, "pipe", cwd=tmp_path))


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/stdin", "/dev/null", ".", "none", "sub/none"])
def test_inputs_that_never_end_or_are_no_logs_are_refused_in_one_line(
    name: str, tmp_path: Path
) -> None:
    refused(call("timeline", name, cwd=tmp_path))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["reconstruct", "log.jsonl", "f", "--before", "x"], "--before"),
        (["reconstruct", "log.jsonl", "f", "--before", "0"], "--before"),
        (["reconstruct", "log.jsonl", "f", "--workspace", "none"], "--workspace"),
        (["reconstruct", "log.jsonl", "f", "--workspace", "log.jsonl"], "--workspace"),
        (["metrics", "log.jsonl", "--artifacts", "none"], "--artifacts"),
        (["timeline", "log.jsonl", "--dialect", "none"], "Known: "),
        (["atif", "log.jsonl", "--out", "log.jsonl"], "--out"),
        (["atif", "log.jsonl", "--out", "."], "output is a folder"),
        (["atif", "log.jsonl", "--out", "log.jsonl/x"], "log.jsonl"),
        (["timeline"], "Missing argument"),
        (["timeline", "log.jsonl", "more"], "more"),
    ],
    ids=str,
)
def test_options_that_cannot_be_met_are_refused_in_one_line(
    words: list[str], said: str, log: Path
) -> None:
    assert said in refused(call(*words, cwd=log.parent))
    assert log.read_text().startswith("{")


def test_an_output_never_takes_the_place_of_a_pipe(log: Path) -> None:
    os.mkfifo(log.parent / "pipe")
    assert "only files are replaced" in refused(
        call("atif", "log.jsonl", "--out", "pipe", cwd=log.parent)
    )
    assert (log.parent / "pipe").is_fifo()


def test_options_that_can_be_met(log: Path) -> None:
    (log.parent / "end").mkdir()
    (log.parent / "end" / "f").write_text("real\n")
    asked = ("reconstruct", "log.jsonl", "f")
    assert call(*asked, cwd=log.parent).stdout == b"a\nb\n"
    assert call(*asked, "--before", "4", cwd=log.parent).stdout == b"a\n"
    real = call(*asked, "--workspace", "end", cwd=log.parent)
    assert (real.stdout, b"from the workspace" in real.stderr) == (b"real\n", True)
    done = call("atif", "log.jsonl", "--out", "sub/run.json", cwd=log.parent)
    assert done.returncode == 0
    atif.Trajectory.model_validate_json((log.parent / "sub" / "run.json").read_text())
    named = call("timeline", "log.jsonl", "--dialect", "codex-exec", cwd=log.parent)
    assert named.stdout == call("timeline", "log.jsonl", cwd=log.parent).stdout
    wrong = call("timeline", "log.jsonl", "--dialect", "gemini-stream", cwd=log.parent)
    assert b"it looks like codex-exec" in wrong.stderr


@pytest.mark.parametrize("verb", ["timeline", "text", "metrics", "atif"])
def test_a_reader_that_leaves_early_is_no_error(verb: str, log: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "benchwright", "log", verb, "log.jsonl"], cwd=log.parent,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    said = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(timeout=60) == 0
    assert "Traceback" not in said
    assert "Broken" not in said


@pytest.mark.parametrize("verb", ["metrics", "reconstruct"])
def test_a_name_that_is_no_text_is_read_and_shown_with_a_sign(verb: str, log: Path) -> None:
    odd = os.fsencode(log.parent) + b"/\xff.jsonl"
    os.rename(log, odd)
    more = ["f"] if verb == "reconstruct" else []
    assert call(verb, odd, *more, cwd=log.parent).returncode == 0
    done = call(verb, odd, *more, "--json", cwd=log.parent)
    assert json.loads(done.stdout)["log"].endswith("/\ufffd.jsonl")
    assert call("reconstruct", odd, b"\xfe", cwd=log.parent).returncode == 1


def test_a_log_that_grows_while_it_is_read(log: Path) -> None:
    whole, stop = log.read_bytes(), threading.Event()

    def grow() -> None:
        with log.open("ab") as file:
            while not stop.wait(0.0005):
                file.write(whole[:2000])  # not at the end of a line
                file.flush()

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        done = [call(*words, cwd=log.parent) for words in (
            ["timeline", "log.jsonl"], ["reconstruct", "log.jsonl", "f"],
        )]  # fmt: skip
    finally:
        stop.set()
        writer.join()
    assert [process.returncode for process in done] == [0, 0]
    assert all(b"Traceback" not in process.stderr for process in done)
