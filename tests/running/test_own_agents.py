"""Entries of an agents file and own code, through whole episodes of `benchwright run`."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from benchwright.cli import exit_code
from benchwright.episodes.folder import RunFolder
from benchwright.episodes.model import Episode
from benchwright.isolation.bwrap import bwrap_works
from benchwright.scoring.rows import read_rows
from benchwright.tasks.taskset import TaskSet

OWN = Path(__file__).parent / "own_agents.py"
POLICIES = "scripted/tests.running.policies"
FILE = f"""
[agents.writer]
agent = "{OWN}@writes_one_label"

[agents.asker]
agent = "{OWN}@asks_once"
model = "{POLICIES}:answers_all_the_same"

[agents.faulty]
agent = "{OWN}@falls_over"

[agents.odd]
agent = "{OWN}@asks_another_model"

[agents.brief]
model = "{POLICIES}:never_stops"
limits = {{ messages = 9 }}

[agents.poor]
model = "{POLICIES}:never_stops"
reasoning_effort = "low"
limits = {{ cost_usd = 0.02 }}
price = {{ input = 5, cached = 0.5, output = 30 }}
"""
NAMES = ("writer", "asker", "faulty", "odd", "brief", "poor")


@pytest.fixture(scope="module")
def line(tasks: TaskSet, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command line that runs every entry."""
    if bwrap_works() is not None:
        pytest.skip("bubblewrap does not start here")
    folder = tmp_path_factory.mktemp("own")
    (folder / "agents.toml").write_text(FILE)
    words = ["run", str(tasks.path), "--agents", str(folder / "agents.toml")]
    words += [word for name in NAMES for word in ("--agent", name)]
    return [*words, "--out", str(folder / "run")]


@pytest.fixture(scope="module")
def run(line: list[str]) -> RunFolder:
    assert exit_code(line) == 1
    return RunFolder.open(Path(line[-1]))


def of(run: RunFolder, name: str) -> list[Episode]:
    return [episode for episode in run.episodes() if episode.agent.name == name]


def test_a_solver_of_ones_own_acts_in_the_sandbox_and_is_scored(run: RunFolder) -> None:
    rows = [r for r in read_rows(run.path) if r.agent == "writer" and r.axes["mode"] == "direct"]
    assert {(r.value, r.status) for r in rows if r.metric == "top1"} == {(0.2, "scored")}


def test_of_own_code_that_called_no_model_through_inspect_the_spending_is_unknown(
    run: RunFolder,
) -> None:
    for episode in of(run, "writer"):
        used = episode.usage
        assert episode.agent.model is used.model_calls is used.cost_nano_usd is None
        assert used.input_tokens is used.cached_tokens is used.output_tokens is None
        assert used.tool_calls is None and used.wall_ms is not None
        document = json.loads((episode.folder / "trajectory.json").read_text())
        steps = [step for step in document["steps"] if step["source"] == "agent"]
        assert all("llm_call_count" not in step for step in steps)
        assert "total_prompt_tokens" not in document["final_metrics"] or not steps


def test_an_agent_of_ones_own_speaks_with_its_model(run: RunFolder) -> None:
    for episode in of(run, "asker"):
        document = json.loads((episode.folder / "trajectory.json").read_text())
        assert document["steps"][-1]["message"] == "I look first."
        assert episode.usage.model_calls == 1


def test_a_fault_of_own_code_is_the_agents_own(run: RunFolder) -> None:
    found = {(e.end.kind, e.owner, e.end.reason) for e in of(run, "faulty")}
    assert found == {
        ("error", "agent", f"ValueError: my own fault (own_agents.py:{line_of_fault()})")
    }


def test_steps_that_own_code_did_not_tell_are_unknown_and_its_files_are_named(
    run: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    episode = next(e for e in of(run, "writer") if "-direct-" in e.id)
    assert episode.usage.tool_calls is None
    assert exit_code(["show", str(run.path), episode.id]) == 0
    said = capsys.readouterr().out
    size = (episode.folder / "artifacts" / "results.json").stat().st_size
    for part in ("its steps are not recorded", "tool calls unknown", "handed in: 1 file"):
        assert part in said
    assert f"results.json  {size:,} bytes" in said and "What it did: nothing" not in said
    assert exit_code(["report", str(run.path), "--out", str(tmp_path / "page")]) == 0
    page = (tmp_path / "page" / "episodes" / f"{episode.id}.html").read_text()
    assert "Its steps are not recorded." in page
    assert f"results.json ({size:,} bytes)" in page


def line_of_fault() -> int:
    lines = OWN.read_text().splitlines()
    return 1 + next(n for n, text in enumerate(lines) if "my own fault" in text)


def test_a_fault_of_own_code_is_told_with_its_line_and_the_run_says_no(
    tasks: TaskSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", str(tasks.path), "--agent", "noop", "--agent", f"{OWN}@falls_over"]
    assert exit_code([*words, "--out", str(tmp_path / "run")]) == 1
    said = capsys.readouterr()
    assert said.err.splitlines()[-1] == (
        "benchwright: 2 episodes broke off, own_agents.py@falls_over: "
        f"ValueError: my own fault (own_agents.py:{line_of_fault()})"
    )
    assert "2 broke off: agent" in said.out and "--retry" not in said.out


def test_text_that_no_log_can_hold_closes_its_episode_with_an_owner_and_a_score(
    run: RunFolder,
) -> None:
    for episode in of(run, "odd"):
        assert (episode.end.kind, episode.owner) == ("error", "agent")
        assert "no UTF-8" in str(episode.end.reason) and episode.usage.tool_calls is None
        document = json.loads((episode.folder / "trajectory.json").read_text())
        assert document["steps"][1]["message"] == "half \\ud83d of it"
    rows = [r for r in read_rows(run.path) if r.agent == "odd" and r.axes["mode"] == "direct"]
    assert {(r.value, r.status) for r in rows if r.metric == "top1"} == {(0.2, "scored")}


def test_the_limits_of_an_entry_hold(run: RunFolder) -> None:
    assert {(e.end.kind, e.owner) for e in of(run, "brief")} == {("message_limit", "agent")}
    for episode in of(run, "poor"):
        assert (episode.end.kind, episode.owner) == ("cost_limit", "agent")
        assert 20_000_000 <= (episode.usage.cost_nano_usd or 0) < 40_000_000


def test_what_was_asked_of_the_model_reached_it(run: RunFolder) -> None:
    logs = [read_eval_log(str(log), header_only=True) for log in run.path.glob("inspect/*.eval")]
    efforts = {log.eval.model_generate_config.reasoning_effort for log in logs}
    assert efforts == {None, "low"}


def test_the_same_line_again_resumes_and_another_entry_is_refused(
    run: RunFolder, line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code([*line, "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["resumed"] == 2 * len(NAMES) and document["broken"] == {"agent": 4}
    file = Path(line[line.index("--agents") + 1])
    file.write_text(FILE.replace("messages = 9", "messages = 10"))
    assert exit_code(line) == 2
    said = capsys.readouterr().err
    assert "planned for other agents, settings or trials" in said
    assert "brief: other limits" in said and "writer" not in said


def test_code_that_changed_since_is_named_when_the_run_is_resumed(
    tasks: TaskSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OWN.read_text())
    words = ["run", str(tasks.path), "--out", str(tmp_path / "run"), "--agent"]
    assert exit_code([*words, f"{file}@writes_one_label"]) == 0
    file.write_text(OWN.read_text() + "# another line\n")
    assert exit_code([*words, f"{file}@writes_one_label"]) == 2
    assert "'mine.py@writes_one_label: its code has changed'" in capsys.readouterr().err
    assert exit_code([*words, "noop", "--trials", "2"]) == 2
    said = capsys.readouterr().err
    for part in ("without agent mine.py@", "with agent noop", "--trials 2 instead of 1"):
        assert part in said


def test_a_client_that_is_not_installed_is_named_with_the_documented_command(
    tasks: TaskSet, tmp_path: Path, capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    absent = next(n for n in ("openai", "groq") if importlib.util.find_spec(n) is None)
    words = ["run", str(tasks.path), "--agent", "react", "--model", f"{absent}/some-model"]
    assert exit_code([*words, "--out", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert "[" not in said and "ERROR" not in said
    command = ".venv/bin/pip install -c constraints.txt"
    assert f"{command} {absent}" in said
    assert f"{command} openai" in (root / "docs" / "agents.md").read_text()


ENDS = {"gives_up": "SystemExit: 3", "throws_a_custom_exception": "Thrown: from below"}


@pytest.mark.parametrize("name", [*ENDS, "gives_up_below"])
def test_code_that_ends_more_than_itself_costs_its_own_episodes_only(
    tasks: TaskSet, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    words = ["run", str(tasks.path), "--agent", "constant", "--agent", f"{OWN}@{name}", "--json"]
    assert exit_code([*words, "--out", str(tmp_path / "run")]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["owed"], document["broken"], document["problems"]) == (0, {"agent": 2}, [])
    for episode in of(RunFolder.open(tmp_path / "run"), f"own_agents.py@{name}"):
        assert (episode.end.kind, episode.owner) == ("error", "agent")
        assert ENDS.get(name, "SystemExit: 3") in str(episode.end.reason)


def test_what_own_code_prints_is_not_part_of_the_answer(
    tasks: TaskSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "loud.py"
    loud = "    print('in the factory')\n    async def solve(state"
    text = OWN.read_text().replace("    async def solve(state", loud)
    file.write_text(text + "\nprint('at import')\n")
    words = ["run", str(tasks.path), "--agent", f"{file}@writes_one_label", "--json"]
    assert exit_code([*words, "--out", str(tmp_path / "run")]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["ran"] == 2
    assert said.err.splitlines() == ["at import", "in the factory"]


@pytest.mark.parametrize(
    "raised", ["KeyboardInterrupt", "type('Odd', (BaseException,), {})('x')", "SystemExit(2)"]
)
def test_a_file_that_raises_anything_when_it_is_opened_is_one_line(
    tasks: TaskSet, tmp_path: Path, capsys: pytest.CaptureFixture[str], raised: str
) -> None:
    file = tmp_path / "odd.py"
    file.write_text(f"raise {raised}\n")
    words = ["run", str(tasks.path), "--agent", f"{file}@solve", "--out", str(tmp_path / "run")]
    assert exit_code(words) == 2
    said = capsys.readouterr().err
    assert "own agent cannot be opened" in said and len(said.splitlines()) == 1


def test_for_a_wrong_name_only_agents_of_the_file_are_offered(
    tasks: TaskSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", str(tasks.path), "--agent", f"{OWN}@nosuch", "--out", str(tmp_path / "run")]
    assert exit_code(words) == 2
    (offered,) = re.findall(r"Use one of: (.*)\.", capsys.readouterr().err)
    marked = re.findall(r"^@(?:solver|agent)\ndef (\w+)", OWN.read_text(), re.M)
    assert offered.split(", ") == sorted(marked) and len(marked) > 3


def test_entries_of_a_file_are_listed_under_its_name(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = line[line.index("--agents") + 1]
    assert exit_code(["agents", "--agents", file, "list", "--json"]) == 0
    before = capsys.readouterr().out
    assert exit_code(["agents", "list", "--agents", file, "--json"]) == 0
    assert capsys.readouterr().out == before
    sources = {agent["name"]: agent["source"] for agent in json.loads(before)["agents"]}
    assert [sources[name] for name in ("react", "writer", "poor")] == [
        "model", "agents.toml", "agents.toml",
    ]  # fmt: skip


LINES = {
    "an unknown name": ([f"{OWN}@writes_one_lable"], "writes_one_label"),
    "no agent": ([f"{OWN}@helper"], "neither a solver nor an agent"),
    "no function": ([f"{OWN}@NOT_AN_AGENT"], "cannot be opened"),
    "an unknown package": (["nosuchpackage/solve"], "nosuchpackage/solve"),
    "twice": ([f"{OWN}@falls_over", f"{OWN}@falls_over"], "named twice"),
}


@pytest.mark.parametrize(("names", "word"), LINES.values(), ids=LINES)
def test_own_code_that_cannot_be_used_is_one_line_and_nothing_is_written(
    tasks: TaskSet,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    names: list[str],
    word: str,
) -> None:
    words = [part for name in names for part in ("--agent", name)]
    assert exit_code(["run", str(tasks.path), *words, "--out", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert word in said and len(said.splitlines()) == 1
    assert not (tmp_path / "run").exists()


def test_an_option_that_inspect_does_not_know_is_one_line(
    tasks: TaskSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f'[agents.a]\nmodel = "{POLICIES}:breaks"\ngenerate = {{ temprature = 1 }}\n'
    (tmp_path / "agents.toml").write_text(text)
    words = ["--agents", str(tmp_path / "agents.toml"), "--agent", "a"]
    assert exit_code(["run", str(tasks.path), *words, "--out", str(tmp_path / "run")]) == 2
    assert "Did you mean temperature?" in capsys.readouterr().err
