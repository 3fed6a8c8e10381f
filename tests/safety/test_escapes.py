"""Attempts to get out of a box: each is refused, and nothing else is lost."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from benchwright.isolation.box import Box
from tests.safety.boxes import attempt_in_box, config
from tests.safety.host import Host, attempts_in, gone, now, source_of

CASES = [
    (module, name) for module in ("files", "network", "privileges") for name in attempts_in(module)
]
WORKS_OUTSIDE = [
    ("files", "reads_a_secret_by_its_path"),
    ("files", "reads_the_project"),
    ("files", "lists_the_held_half"),
    ("files", "climbs_out_by_dots"),
    ("files", "reads_through_folders_of_processes"),
    ("files", "reads_the_name_of_the_host"),
    ("network", "connects_to_a_server_of_the_host"),
    ("network", "connects_to_an_abstract_socket"),
    ("network", "connects_to_a_socket_file"),
]


@pytest.mark.parametrize(("module", "name"), CASES, ids=[name for _, name in CASES])
async def test_an_attempt_is_refused_or_contained(host: Host, module: str, name: str) -> None:
    async with Box.open(config()) as box:
        outcome = await attempt_in_box(box, module, name, host)
        assert "broken" not in outcome, outcome
        assert not outcome.get("got"), outcome
        await still_works(box)
    assert host.reached() == []
    assert host.traces() == []
    assert host.marker in host.secret.read_text()


@pytest.mark.parametrize(("module", "name"), WORKS_OUTSIDE, ids=[n for _, n in WORKS_OUTSIDE])
def test_the_same_attempt_succeeds_without_a_box(host: Host, module: str, name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-", name, json.dumps(host.target())],
        input=source_of(module), capture_output=True, text=True, check=True, timeout=30,
    )  # fmt: skip
    assert json.loads(done.stdout).get("got"), done.stdout
    host.reached()


def test_there_are_at_least_forty_attempts() -> None:
    assert len(CASES) >= 40


async def still_works(box: Box) -> None:
    """The box goes on serving after the attempt, and no process of it outlives it."""
    done = await box.exec(["readlink", "/proc/self/ns/pid"], timeout_s=10)
    assert done.returncode == 0
    namespace = done.stdout.decode().strip()
    assert namespace.startswith("pid:[")
    seen_at = now()
    await box.close()
    assert gone(namespace, seen_at)
