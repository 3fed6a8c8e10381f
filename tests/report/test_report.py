"""A report of a run: complete, marked, linked, and the same twice."""

from __future__ import annotations

import re
import shutil
from html import unescape
from html.parser import HTMLParser

import pytest

from benchwright.cli.report import write_report
from benchwright.cli.runs import distinct_names
from benchwright.errors import FormatError, TaskSetError
from benchwright.executors import SerialExecutor
from benchwright.report.references import PAPERS
from benchwright.suites.tracebench.build import build
from benchwright.suites.tracebench.spec import parse_spec
from benchwright.tasks.taskset import TaskSet
from tests.report.conftest import HOSTILE, SPEC, make_run


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
    assert "invalid answer" in words and "Key names no sample" in words
    assert "What went wrong: 4 of 8 episodes" in words


def test_episodes_of_one_fault_stand_in_one_line_that_opens_to_them(site, run):
    faults = re.findall(r'<details class="fold tally.*?</details>', text_as_is(site), re.S)
    links = [re.findall(r'href="(episodes/[^"]+)"', fault) for fault in faults]
    assert sorted(map(len, links)) == [1, 1, 1, 1]
    assert len({link for own in links for link in own}) == 4


def text_as_is(site) -> str:
    return (site / "index.html").read_text()


def test_the_first_page_opens_with_a_sample_whose_answer_is_asked_for(site, tasks):
    page = text_as_is(site)
    words = " ".join(text_of(site / "index.html").split())
    assert page.index('class="specimen"') < page.index("<table")
    assert words.index("or none: which?") < words.index("Show the answer") < words.index("Accuracy")
    (reveal,) = re.findall(r'<details class="reveal"[^>]*>(.*?)</details>', page, re.S)
    assert "<details open" not in page and "oracle" in reveal and "✓ right" in reveal
    choices = re.findall(r'name="massslide-guess">([^<]+)<', page)
    assert tuple(map(unescape, choices)) == tasks.tasks[0].submission.labels
    assert page.count(' truth"') == 1


def test_the_full_viewer_of_the_opening_sample_is_one_link_away(site):
    (href,) = re.findall(r'class="more"><a[^>]* href="([^"]+)"', text_as_is(site).replace("\n", ""))
    path, _, anchor = href.partition("#")
    (fold,) = re.findall(
        rf'<details[^>]*id="{anchor}".*?</details>', (site / path).read_text(), re.S
    )
    assert 'class="viewer"' in fold


def test_the_first_page_needs_no_data_file_and_no_script_to_be_understood(site):
    page = text_as_is(site)
    assert "application/json" not in page and "plotly" not in page
    assert len(page) < 500_000


def test_held_out_results_stand_beside_those_of_the_batch(site):
    page = text_as_is(site)
    accuracy = page[page.index('class="legend"') :]
    assert accuracy.index(">held-out<") < accuracy.index("low noise · direct answer")
    direct, by_rule = (line for line in accuracy.split("<tr>") if ">oracle<" in line)
    assert (direct.count(">1.00<"), by_rule.count(">1.00<")) == (2, 3)


def test_the_parts_of_a_drawn_share_are_named_above_the_table(site):
    (legend,) = re.findall(r'<ul class="legend">(.*?)</ul>', text_as_is(site), re.S)
    words = re.sub(r"<[^>]+>", " ", legend)
    for part in (
        "share of right answers",
        "95 % Clopper-Pearson over different samples",
        "guessing",
    ):
        assert part in words
    assert "missing samples all wrong, or all right" in words


def test_a_task_s_page_says_in_words_who_answered_what(site, tasks):
    task = next(t for t in tasks.tasks if t.submission.mode == "direct")
    words = " ".join(text_of(site / "tasks" / f"{task.id}.html").split())
    for part in ("✓ right", "✗ no parameter change", "– no usable answer", "? not known"):
        assert part in words


def test_the_reason_of_an_invalid_answer_is_said_once_and_errors_of_samples_each(site, run, tasks):
    for planned in run.plan:
        if planned.agent.name != "talker":
            continue
        words = " ".join(text_of(site / "episodes" / f"{planned.id}.html").split())
        direct = tasks.task(planned.task_id).submission.mode == "direct"
        told = words.count("key names no sample") if direct else words.count("Scores 0.")
        assert told == (1 if direct else 10)


def test_a_set_that_was_moved_is_found_by_name_and_refused_without(tasks, tmp_path):
    moved = shutil.copytree(tasks.path, tmp_path / "old")
    run = make_run(TaskSet.open(moved), tmp_path / "run")
    moved = moved.rename(tmp_path / "new")
    with pytest.raises(TaskSetError, match="not here") as caught:
        write_report([run.path], tmp_path / "page")
    assert "--tasks" in caught.value.hint
    assert write_report([run.path], tmp_path / "page", moved).is_file()


def test_another_set_is_refused_under_any_path(run, tmp_path):
    spec = parse_spec({**SPEC, "noise": ["high"], "modes": ["direct"]}, "tests")
    other = build(spec, tmp_path / "other", SerialExecutor())
    with pytest.raises(TaskSetError, match="differs"):
        write_report([run.path], tmp_path / "page", other.path)


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


def test_the_first_page_says_what_every_agent_and_every_column_is(site):
    page = text_as_is(site)
    lists = re.findall(r'<section class="terms">(.*?)</section>', page, re.S)
    agents, columns, papers = (re.sub(r"<[^>]+>", " ", unescape(part)) for part in lists)
    assert "Knows the truth" in agents and "scripted/model" in agents
    assert "blind" in agents and "Not known to this version." in agents
    for name in ("all", "held-out", "planned", "finished", "scored", "invalid", "missing"):
        assert re.search(rf"\s{name}\s+[A-Z]", columns)
    for title in ("TraceBench:", "BTS-AgentBench:", "How Do Agents Fail on AutoResearch:"):
        assert title in papers
    assert page.index('id="accuracy"') < page.index('class="terms"')


def test_the_readme_names_the_same_papers_as_the_page(root):
    readme = " ".join((root / "README.md").read_text().split())
    assert [title for title, _ in PAPERS if title not in readme] == []


def test_runs_in_folders_of_the_same_name_stand_under_more_of_their_paths(run, tasks, tmp_path):
    one, two = (make_run(tasks, tmp_path / name / "r") for name in ("a", "b"))
    page = write_report([one.path, two.path], tmp_path / "both")
    words = text_of(page)
    assert "blind (a/r)" in words and "blind (b/r)" in words
    assert len(list((tmp_path / "both" / "episodes").iterdir())) == 2 * len(run.plan)
    assert str(tmp_path) not in page.read_text()


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["x/first", "x/second"], ["first", "second"]),
        (["a/r", "b/r", "b/s"], ["a/r", "b/r", "s"]),
        (["r", "a/r", "b/a/r"], ["{}/r", "{}/a/r", "b/a/r"]),
    ],
)
def test_the_name_of_a_run_is_the_shortest_end_that_no_other_has(paths, names, tmp_path):
    expected = [name.format(tmp_path.name) for name in names]
    assert distinct_names([tmp_path / path for path in paths]) == expected


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
    file.write_text(file.read_text().replace("run-record/1", "run-record/2"))
    with pytest.raises(FormatError, match="newer benchwright"):
        write_report([newer.path], tmp_path / "x")
