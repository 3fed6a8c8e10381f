"""Runs of conversations as a table, as a story, and as pages that say the same twice."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from benchwright.canonical import digest_bytes
from benchwright.cli.report import write_report
from benchwright.stats.intervals import clopper_pearson
from tests.cli.commands import benchwright, tree
from tests.telemetry.results.conftest import AGENTS, TRIALS, Ran


@pytest.fixture(scope="module")
def site(ran: Ran, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report([ran.path], tmp_path_factory.mktemp("report") / "site").parent


@pytest.fixture(scope="module")
def document(ran: Ran) -> dict[str, Any]:
    said = benchwright("show", ran.path, "--json")
    assert said.code == 0, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


class Links(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.names: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.targets += [value for name, value in attrs if name == "href" and value]
        self.names += [value for name, value in attrs if name == "id" and value]


def test_the_table_counts_conversations_and_speaks_of_nothing_else(ran: Ran) -> None:
    said = benchwright("show", ran.path)
    assert said.code == 0, said.err
    assert "different conversations" in said.out and "sample" not in said.out
    assert all(agent in said.out for agent in AGENTS)
    assert "Trials and groups" in said.out and "pass^2" in said.out


def test_shares_have_the_exact_interval_of_as_many_tasks(
    ran: Ran, document: dict[str, Any]
) -> None:
    tasks = len(ran.built.golds)
    groups = {row["agent"]["name"]: row for row in document["groups_pooled"]}
    assert groups["oracle"]["share_of_all"] == 1 and groups["constant"]["share_of_all"] == 0
    assert groups["oracle"]["interval"] == pytest.approx(clopper_pearson(tasks, tasks))
    for row in document["accuracy"]:
        assert row["chance"] == 0 and row["p_above_chance"] is None
        own = row["owed"] // TRIALS
        passed = row["correct"] // TRIALS
        assert row["interval"] == pytest.approx(clopper_pearson(passed, own))
        assert set(row["means"]) == {"correct", "met"}


def test_every_agent_trial_and_group_is_counted(ran: Ran, document: dict[str, Any]) -> None:
    tasks = len(ran.built.golds)
    for row in document["groups_pooled"]:
        assert sum(row["groups"].values()) == tasks
        assert sum(row["trials"].values()) == tasks * TRIALS
        assert [one["k"] for one in row["pass_hat"]] == list(range(1, TRIALS + 1))


def test_the_file_has_one_row_per_failure_with_the_digests_of_what_lies_there(
    ran: Ran, site: Path, document: dict[str, Any]
) -> None:
    text = (site / "failures.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    failed = {told.episode.id for told in ran.told if told.failed}
    assert {row["episode"] for row in document["findings"]["failures"]} == failed
    assert {row["episode"] for row in rows} == failed and len(rows) == len(failed)
    for row in rows:
        folder = ran.view.folder.folder(row["episode"])
        raw = (folder / "session.jsonl").read_bytes()
        assert row["trace"] == hashlib.sha256(raw).hexdigest()
        (sheet,) = (folder / "scores").iterdir()
        assert row["score"] == digest_bytes(sheet.read_bytes())
        assert row["contract"] == ran.built.golds[row["task"]]["duties"]["digest"]


def test_failures_add_up_in_every_table(document: dict[str, Any]) -> None:
    found = document["findings"]
    assert sum(one["failures"] for one in found["final_answer"]) == len(found["failures"])
    for one in found["invariants"]:
        assert one["pass"] + one["fail"] + one["not_applicable"] == found["judged"]
    for one in found["views"]:
        assert one["seen"]["calls"] == one["of"]


def test_every_link_leads_to_a_page_and_a_place_on_it(site: Path) -> None:
    pages = {path: Links(path.read_text()) for path in site.rglob("*.html")}
    followed = 0
    for page, links in pages.items():
        for target in links.targets:
            name, _, place = target.partition("#")
            path = (page.parent / name).resolve() if name else page
            assert path.is_file(), target
            if place:
                assert place in pages[path].names, (page, target)
                followed += 1
    assert followed > 1000


def test_there_are_no_pages_of_samples(site: Path) -> None:
    assert {path.name for path in site.glob("*.html")} == {
        "index.html", "figures.html", "episodes.html",
    }  # fmt: skip
    for page in site.glob("*.html"):
        assert not re.search(r"\bsamples?\b", page.read_text())


def test_a_failed_conversation_names_one_cause_first_and_greys_what_follows(
    ran: Ran, site: Path
) -> None:
    for told in ran.of("keeps_old_winner"):
        text = (site / "episodes" / f"{told.episode.id}.html").read_text()
        assert text.count(">the cause<") == int(told.failed)
        below = sum(one.id in told.downstream for one in told.broken)
        assert text.count("downstream of what broke before") == below
        numbers = re.findall(r'id="exchange-(\d+)"', text)
        assert numbers == [str(line["n"]) for line in told.lines]


def test_an_episode_in_the_terminal_is_told_as_on_its_page(ran: Ran) -> None:
    told = next(told for told in ran.of("keeps_old_winner") if told.failed)
    said = benchwright("show", ran.path, told.episode.id)
    assert said.code == 0, said.err
    assert "It broke at turn 3: winner carried." in said.out
    assert all(phase.text[:40] in said.out for phase in told.script.phases)
    assert said.out.count("[the cause]") == 1 and "\x1b" not in said.out
    passed = ran.of("oracle")[0].episode.id
    assert "It passed: all" in benchwright("show", ran.path, passed).out


def test_the_same_run_gives_the_same_bytes(ran: Ran, site: Path, tmp_path: Path) -> None:
    again = write_report([ran.path], tmp_path / "site").parent
    assert tree(again) == tree(site)
