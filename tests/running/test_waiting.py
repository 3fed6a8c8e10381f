"""While a provider is waited for, a terminal says so; when nothing came of it, one line does."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from benchwright.cli import exit_code
from benchwright.episodes.folder import RunFolder
from benchwright.isolation.bwrap import bwrap_works
from benchwright.tasks.taskset import TaskSet
from tests.cli.commands import START
from tests.conftest import ROOT

POLICIES = "scripted/tests.running.policies"


@pytest.fixture(autouse=True)
def needs_boxes() -> None:
    if bwrap_works() is not None:
        pytest.skip("bubblewrap does not start here")


class Terminal:
    """A command line whose stderr is a terminal; what it wrote there so far is `text`."""

    def __init__(self, words: list[str], env: dict[str, str]) -> None:
        ours, theirs = pty.openpty()
        self.text = ""
        self.child = subprocess.Popen(
            [sys.executable, "-c", START, *words],
            env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "160", **env},
            stdout=subprocess.DEVNULL, stderr=theirs,
        )  # fmt: skip
        os.close(theirs)
        self._reader = threading.Thread(target=self._read, args=(ours,))
        self._reader.start()

    def _read(self, ours: int) -> None:
        with os.fdopen(ours, "rb", buffering=0) as terminal:
            try:
                while part := terminal.read(4096):
                    self.text += part.decode(errors="replace")
            except OSError:
                return  # the other side has been closed

    def wait_for(self, pattern: str) -> None:
        deadline = time.monotonic() + 120
        while not re.search(pattern, self.text):
            assert self.child.poll() is None and time.monotonic() < deadline, self.text
            time.sleep(0.05)

    def end(self) -> int:
        code = self.child.wait(120)
        self._reader.join()
        return code


def test_a_terminal_shows_who_is_waited_for_and_for_how_long(
    tasks: TaskSet, tmp_path: Path
) -> None:
    (tmp_path / "down").touch()
    words = ["run", str(tasks.path), "--agent", "react", "--model", f"{POLICIES}:busy_while_down"]
    env = {"PROVIDER_DOWN": str(tmp_path / "down")}
    terminal = Terminal([*words, "--out", str(tmp_path / "run")], env)
    terminal.wait_for(r"0 of 2 episodes finished, 2 running, \d+ s")
    terminal.wait_for(r"retr(y|ies) of \S+busy_while_down \(last: Busy, again in \d+ s\)")
    (tmp_path / "down").unlink()
    assert terminal.end() == 0
    assert "Traceback" not in terminal.text


def test_when_every_episode_broke_off_the_providers_words_end_the_run(
    tasks: TaskSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", str(tasks.path), "--agent", "react", "--model", f"{POLICIES}:breaks"]
    assert exit_code([*words, "--out", str(tmp_path / "run")]) == 1
    told = capsys.readouterr()
    assert told.err == (
        "benchwright: every episode broke off, provider: ConnectionError: the provider hung up\n"
    )
    assert "2 broke off: provider" in told.out and "--retry" in told.out


def test_where_some_came_to_their_end_it_is_said_how_many_did_not(
    tasks: TaskSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", str(tasks.path), "--agent", "react", "--agent", "noop"]
    words += ["--model", f"{POLICIES}:breaks", "--out", str(tmp_path / "run")]
    assert exit_code(words) == 1
    assert capsys.readouterr().err == (
        "benchwright: 2 episodes broke off, provider: ConnectionError: the provider hung up\n"
    )


def test_time_that_went_by_in_waiting_is_the_providers(tasks: TaskSet, tmp_path: Path) -> None:
    text = f'[agents.waits]\nmodel = "{POLICIES}:always_busy"\nlimits = {{ wall_s = 4 }}\n'
    (tmp_path / "agents.toml").write_text(text)
    words = ["run", str(tasks.path), "--agents", str(tmp_path / "agents.toml"), "--agent", "waits"]
    assert exit_code([*words, "--out", str(tmp_path / "run")]) == 1
    for episode in RunFolder.open(tmp_path / "run").episodes():
        assert (episode.end.kind, episode.owner) == ("time_limit", "provider")
        assert "waiting for the model" in str(episode.end.reason)


def test_retries_that_are_used_up_are_the_providers(tasks: TaskSet, tmp_path: Path) -> None:
    text = (
        f'[agents.gives_up]\nmodel = "{POLICIES}:always_busy"\ngenerate = {{ max_retries = 0 }}\n'
    )
    (tmp_path / "agents.toml").write_text(text)
    words = ["--agents", str(tmp_path / "agents.toml"), "--agent", "gives_up"]
    assert exit_code(["run", str(tasks.path), *words, "--out", str(tmp_path / "run")]) == 1
    for episode in RunFolder.open(tmp_path / "run").episodes():
        assert (episode.end.kind, episode.owner) == ("error", "provider")
        assert episode.end.reason == "Busy: too many requests"


def test_without_a_sandbox_it_is_said_why_rules_stay_owed(
    tasks: TaskSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", str(tasks.path), "--agent", "constant", "--sandbox", "none"]
    assert exit_code([*words, "--out", str(tmp_path / "run")]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "1 episode owed: a rule is executed in a sandbox only" in told
    assert "owed answers by rule need a sandbox" in told
    (owed,) = RunFolder.open(tmp_path / "run").owed()
    exit_code(["show", str(tmp_path / "run"), owed.id])
    assert "a rule is executed in a sandbox only" in capsys.readouterr().out
