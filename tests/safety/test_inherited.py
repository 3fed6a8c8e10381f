"""What a child gets from its parent without asking must not reach a box."""

from __future__ import annotations

import json
import os
import pty
import select
import sys
import time
from typing import Any

import pytest

from tests.safety.host import CHECKOUT, Host

PLANTED = [
    ("files", "reads_environments_of_processes"),
    ("files", "uses_inherited_descriptors"),
    ("files", "takes_descriptors_of_init"),
    ("files", "reads_the_memory_of_init"),
    ("privileges", "reads_the_keys_of_the_host"),
    ("privileges", "types_into_the_terminal_of_the_host"),
]
SECRETS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "INSPECT_EVAL_MODEL",
           "LD_PRELOAD_NOTE", "PYTHONPATH_NOTE", "BASH_FUNC_x%%", "SSH_AUTH_SOCK")  # fmt: skip


@pytest.mark.parametrize(("module", "name"), PLANTED, ids=[name for _, name in PLANTED])
def test_a_planted_secret_does_not_pass_to_the_box(host: Host, module: str, name: str) -> None:
    arguments = ["-m", "tests.safety.planted", module, name, json.dumps(host.target())]
    key, answer, left = under_a_terminal(arguments, host.marker)
    if "keys" in name and key["key"] != "planted":
        pytest.skip(f"this kernel takes no key: {key['key']}")
    assert "broken" not in answer["outcome"], answer
    assert not answer["outcome"].get("got"), answer
    assert answer["environment"] is False
    assert left == {"left": []}


def under_a_terminal(arguments: list[str], marker: str) -> list[dict[str, Any]]:
    """The JSON lines of a Python program with a terminal of its own and secrets around it."""
    environment = {**os.environ, **dict.fromkeys(SECRETS, marker), "PYTHONPATH": path_of_tests()}
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(CHECKOUT)
        os.execve(sys.executable, [sys.executable, *arguments], environment)
    text = read_all(terminal)
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert status == 0, text.decode(errors="replace")[-3000:]
    return [json.loads(line) for line in text.decode().splitlines() if line.startswith("{")]


def path_of_tests() -> str:
    return os.pathsep.join([str(CHECKOUT), *filter(None, [os.environ.get("PYTHONPATH")])])


def read_all(terminal: int) -> bytes:
    """Everything that is written to a terminal until its last user is gone, a minute at most."""
    text = b""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            piece = os.read(terminal, 65_536)
        except OSError:  # how Linux reports the end of a terminal
            break
        if not piece:
            break
        text += piece
    return text
