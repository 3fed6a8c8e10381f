"""Attempts to get out of a box: each is refused, and nothing else is lost."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from benchwright.isolation.box import Box
from tests.safety.boxes import attempt_in_box, config
from tests.safety.host import Host, attempts_in, gone, now, source_of

MODULES = ("files", "network", "privileges")
CASES = [(module, name) for module in MODULES for name in attempts_in(module)]
VIOLENT = {"kills_init", "signals_the_group_it_came_with", "replaces_the_working_folder_by_a_link"}
"""Each in a box of its own: what they would break must not make another attempt look refused."""
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


@dataclass(frozen=True)
class Came:
    """What came of one attempt: in the box, at the servers of the host, in its folders."""

    outcome: dict[str, Any]
    reached: list[str]
    traces: list[str]


@pytest.fixture(scope="module")
def outcomes(host: Host) -> dict[str, Came]:
    """Every attempt, made one after the other."""
    return asyncio.run(all_outcomes(host))


async def all_outcomes(host: Host) -> dict[str, Came]:
    async with Box.open(config()) as shared:
        came = {}
        for module, name in CASES:
            if name in VIOLENT:
                async with Box.open(config()) as own:
                    came[name] = await one_outcome(own, host, module, name)
                    await serves_and_ends(own)
            else:
                came[name] = await one_outcome(shared, host, module, name)
        await serves_and_ends(shared)
    return came


async def one_outcome(box: Box, host: Host, module: str, name: str) -> Came:
    outcome = await attempt_in_box(box, module, name, host)
    return Came(outcome, host.reached(), host.traces())


async def serves_and_ends(box: Box) -> None:
    """The box goes on serving after the attempts, and no process of it outlives it."""
    done = await box.exec(["readlink", "/proc/self/ns/pid"], timeout_s=10)
    assert done.returncode == 0
    namespace = done.stdout.decode().strip()
    assert namespace.startswith("pid:[")
    seen_at = now()
    await box.close()
    assert gone(namespace, seen_at)


@pytest.mark.parametrize("name", [name for _, name in CASES])
def test_an_attempt_is_refused_or_contained(outcomes: dict[str, Came], name: str) -> None:
    came = outcomes[name]
    assert "broken" not in came.outcome, came.outcome
    assert not came.outcome.get("got"), came.outcome
    assert came.reached == []
    assert came.traces == []


def test_secrets_of_the_host_are_as_they_were(outcomes: dict[str, Came], host: Host) -> None:
    assert len(outcomes) == len(CASES)
    assert json.loads(host.secret.read_text()) == {"label": host.marker}


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
