"""A report of a run: complete, marked, linked, and the same twice."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pytest

from benchwright.cli.report import write_report
from benchwright.errors import FormatError, TaskSetError
from tests.report.conftest import HOSTILE, make_run


@pytest.fixture(scope="module")
def site(run, tmp_path_factory):
    """The report of the run, written once."""
    return write_report([run.path], tmp_path_factory.mktemp("report") / "site").parent


def text_of(page) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", page.read_text()))


class Links(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def test_every_link_of_every_page_leads_to_a_file_of_the_site(site):
    for page in site.rglob("*.html"):
        for link in Links(page.read_text()).found:
            target = (page.parent / link.partition("#")[0]).resolve()
            assert link == "#main" or (target.is_file() and target.is_relative_to(site)), link


def test_there_is_a_page_for_every_planned_episode_and_every_task(site, run, tasks):
    assert {p.stem for p in (site / "episodes").iterdir()} == {p.id for p in run.plan}
    assert {p.stem for p in (site / "tasks").iterdir()} == set(tasks.task_digests)


def test_the_first_page_marks_who_saw_the_gold_and_who_had_no_sandbox(site):
    words = text_of(site / "index.html")
    assert "given the answers" in words
    assert "no sandbox" in words
    assert "never to compare agents" in words


def test_the_first_page_names_owner_and_reason_of_every_failure(site):
    words = " ".join(text_of(site / "index.html").split())
    assert "1 not run" in words and "1 sandbox" in words
    assert "owner: sandbox" in words and "init died at call 1" in words
    assert "invalid answer" in words and "key names no sample" in words
    assert "What went wrong: 4 of 8 episodes" in words


def test_the_exact_prompt_stands_on_the_page_of_task_and_episode(site, tasks, run):
    for task in tasks.tasks:
        assert task.instruction in unescape((site / "tasks" / f"{task.id}.html").read_text())
    page = (site / "episodes" / f"{run.plan[0].id}.html").read_text()
    assert tasks.task(run.plan[0].task_id).instruction in unescape(page)


def test_what_agents_wrote_is_shown_and_starts_nothing(site):
    pages = [page.read_text() for page in site.rglob("*.html")]
    assert any(HOSTILE in unescape(page) for page in pages)
    assert not any("<script>document" in page or "<img" in page for page in pages)


def test_series_stand_once_for_all_agents(site, tasks):
    samples = {name for task in tasks.tasks for name in task.submission.samples}
    assert len(list((site / "data").iterdir())) <= 4 * len(samples)


def test_the_same_run_gives_the_same_bytes(run, site, tmp_path):
    again = write_report([run.path], tmp_path / "again").parent
    names = sorted(p.relative_to(site) for p in site.rglob("*.*"))
    assert names == sorted(p.relative_to(again) for p in again.rglob("*.*"))
    assert all((site / name).read_bytes() == (again / name).read_bytes() for name in names)


def test_two_runs_stand_side_by_side_under_their_names(run, tasks, tmp_path):
    other = make_run(tasks, tmp_path / "second")
    page = write_report([run.path, other.path], tmp_path / "both")
    words = text_of(page)
    assert "blind (run)" in words and "blind (second)" in words
    assert len(list((tmp_path / "both" / "episodes").iterdir())) == 2 * len(run.plan)


def test_the_same_run_twice_is_refused(run, tmp_path):
    with pytest.raises(TaskSetError, match="cannot share"):
        write_report([run.path, run.path], tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_a_run_of_a_newer_version_is_one_clear_error(tasks, tmp_path):
    newer = make_run(tasks, tmp_path / "newer")
    file = newer.path / "run.toml"
    file.write_text(file.read_text().replace("benchwright.run/1", "benchwright.run/2"))
    with pytest.raises(FormatError, match="newer benchwright"):
        write_report([newer.path], tmp_path / "x")
