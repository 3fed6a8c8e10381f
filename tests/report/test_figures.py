"""Every figure of the page of figures, against the rows and sheets of a real run that it is of."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest
from scipy.stats import binomtest

from benchwright.cli import exit_code
from benchwright.isolation.bwrap import bwrap_works
from benchwright.scoring.model import ScoreRow
from benchwright.scoring.rows import read_rows
from benchwright.tasks.taskset import TaskSet

SPEC = """\
suite = "tracebench"
systems = ["MassSlide"]
noise = ["low"]
heldout = 2
secret = false
"""
HEDGER = '''
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import sandbox

RULE = """
LABELS = {labels!r}


def predict(df):
    first = int(abs(float(df["col1"].iloc[200])) * 1e6) % len(LABELS)
    return [LABELS[(first + step) % len(LABELS)] for step in range(1 + first % 4)]
"""
APPLY = """
import json, os
import pandas as pd
from rule import predict
names = os.listdir("test_samples")
answers = {name: predict(pd.read_parquet(f"test_samples/{name}")) for name in names}
json.dump(answers, open("results.json", "w"))
"""


@solver
def hedger() -> Solver:
    """Gives one to four labels for a sample."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        rule = RULE.replace("{labels!r}", repr(LABELS))
        await sandbox().write_file("rule.py", rule)
        if state.metadata["mode"] == "direct":
            await sandbox().exec(["python3", "-c", APPLY])
        return state

    return solve
'''
TABLES = {"given": ("top1", "shortlist"), "held-out": ("heldout_top1", "heldout_shortlist")}
"""By table: the metric that is counted, and the one whose mean stands beside it."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a set, a run of four agents on it, and the run's pages."""
    if bwrap_works() is not None:
        pytest.skip("bubblewrap does not start here")
    folder = tmp_path_factory.mktemp("figures")
    (folder / "spec.toml").write_text(SPEC)
    line = ["build", str(folder / "spec.toml"), "--out", str(folder / "tasks")]
    assert exit_code([*line, "--executor", "serial"]) == 0
    labels = TaskSet.open(folder / "tasks").tasks[0].submission.labels
    (folder / "own.py").write_text(f"LABELS = {list(labels)!r}\n{HEDGER}")
    agents = ["random", "jumps", "noop", f"{folder / 'own.py'}@hedger"]
    named = [word for name in agents for word in ("--agent", name)]
    out = ["--out", str(folder / "run")]
    assert exit_code(["run", str(folder / "tasks"), *named, *out]) == 0
    assert exit_code(["report", str(folder / "run"), "--out", str(folder / "page")]) == 0
    return folder


@pytest.fixture(scope="module")
def shown(made: Path) -> dict[str, dict[tuple[str, str], dict[str, str]]]:
    """Per table, (condition, agent): the text of every cell by the title of its column."""
    page = (made / "page" / "figures.html").read_text()
    found = re.findall(r"<table>(.*?)</table>", page, re.S)
    return dict(zip(TABLES, map(lines_of, found), strict=True))


def lines_of(table: str) -> dict[tuple[str, str], dict[str, str]]:
    titles = [words(head) for head in re.findall(r'<th scope="col".*?</th>', table, re.S)]
    section, lines = "", {}
    for row in re.findall(r"<tr.*?</tr>", table, re.S)[1:]:
        cells = [words(cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.S)]
        if len(cells) == 1:
            section = cells[0]
        else:
            lines[section, cells[0].split()[0]] = dict(zip(titles, cells, strict=True))
    return lines


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html.replace("<wbr>", ""))).split())


def outcomes(run: Path, row: ScoreRow, tasks: TaskSet, hidden: bool) -> list[bool]:
    """Whether each sample that the row's metric is of was answered rightly, from the sheet."""
    asked = tasks.task(row.task_id).submission
    (sheet,) = (run / "episodes" / row.episode_id / "scores").iterdir()
    checks = {c["name"]: c["outcome"] == "pass" for c in json.loads(sheet.read_text())["checks"]}
    names = [name for name in checks if (name not in asked.samples) == hidden]
    return [checks[name] for name in names]


@pytest.mark.parametrize("table", TABLES)
def test_every_figure_is_that_of_the_rows_of_its_own_samples(made, shown, table):
    counted, beside = TABLES[table]
    tasks, rows = TaskSet.open(made / "tasks"), list(read_rows(made / "run"))
    of = {(row.episode_id, row.metric): row for row in rows}
    own = [row for row in rows if row.metric == counted]
    assert len(shown[table]) == len(own) == {"given": 8, "held-out": 4}[table]
    for row in own:
        mode = {"direct": "direct answer", "programmatic": "answer by rule"}[row.axes["mode"]]
        right = outcomes(made / "run", row, tasks, table == "held-out")
        n, chance = len(right), 1 / len(tasks.task(row.task_id).submission.labels)
        low, high = binomtest(sum(right), n).proportion_ci(0.95, "exact")
        p = binomtest(sum(right), n, chance, alternative="greater").pvalue
        title = {"shortlist": "shortlist", "heldout_shortlist": "held-out shortlist"}[beside]
        line = dict(shown[table][f"low noise · {mode}", row.agent])
        assert line.pop("agent").startswith(row.agent)
        assert line == {
            "system": "MassSlide",
            "right": str(sum(right)),
            "of": str(n),
            "accuracy": f"{sum(right) / n:.3f}",
            "95 % interval": f"{low:.2f}–{high:.2f}",
            "bounds": "–",
            "chance": f"{chance:.3f}",
            "p": f"{p:.2g}",
            title: f"{of[row.episode_id, beside].value:.3f}",
            "planned": "1",
            "finished": "1",
            "scored": str(int(row.status == "scored")),
            "invalid": str(int(row.status == "invalid")),
            "missing": "0",
        }


def test_the_page_says_what_its_columns_mean_without_hovering(made):
    page = words((made / "page" / "figures.html").read_text())
    for part in ("bounds The accuracy if missing samples", "p Exact probability", "chance Share"):
        assert part in page


def test_every_verb_ends_with_what_comes_next(made, capsys):
    run, page = str(made / "run"), made / "page"
    for line, wanted in (
        (["check", str(made / "tasks"), "--only", "structure"], "next: benchwright run "),
        (["show", run], f"next: benchwright show {run} massslide-"),
        (["score", run], f"next: benchwright show {run}"),
        (["report", run, "--out", str(page)], f"The page: {(page / 'index.html').as_uri()}"),
    ):
        assert exit_code(line) == 0
        assert wanted in capsys.readouterr().out, line


def test_agents_of_several_runs_are_named_alike_in_tables_and_lists(made, tmp_path):
    entry = '[agents.mine]\ndoc = "Hedges its bets."\nagent = "own.py@hedger"\n'
    (made / "agents.toml").write_text(entry)
    other = ["--agents", str(made / "agents.toml"), "--agent", "mine", "--agent", "random"]
    out = ["--out", str(tmp_path / "second")]
    assert exit_code(["run", str(made / "tasks"), *other, *out]) == 0
    runs = [str(made / "run"), str(tmp_path / "second")]
    assert exit_code(["report", *runs, "--out", str(tmp_path / "page")]) == 0
    html = (tmp_path / "page" / "index.html").read_text()
    listed = next(part for part in html.split('<section class="terms">') if ">Agents<" in part)
    page, listed = words(html), words(listed.partition("</section>")[0])
    assert "run, second: they stand behind their agents' names" in page
    assert "mine (second) Hedges its bets." in listed
    assert "own.py@hedger (run) Code of one's own: own.py@hedger." in listed
    for name in ("random (run)", "random (second)"):
        assert name in listed and page.count(name) > 1


def test_the_figures_of_this_run_can_be_told_apart(made):
    """No two metrics are equal for every agent, or the test above would see nothing."""
    rows = list(read_rows(made / "run"))
    by = {
        metric: {
            (row.agent, row.axes["mode"]): row.value
            for row in rows
            if row.metric == metric and row.axes["mode"] == "programmatic"
        }
        for pair in TABLES.values()
        for metric in pair
    }
    assert len({tuple(sorted(values.items())) for values in by.values()}) == 4
