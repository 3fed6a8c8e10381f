"""`agents.toml`: what it may say, and one line for what it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchwright.errors import BenchwrightError, SpecError
from benchwright.running.agents import (
    AgentLimits,
    agent_record,
    known_agents,
    model_agents,
)
from benchwright.running.agents_file import read_agents
from benchwright.suites import open_suite
from benchwright.tasks.model import TaskLimits
from benchwright.trajectory.prices import Price

OWN = Path(__file__).parent / "own_agents.py"
FULL = f"""
format = "benchwright.agents-file/1"

[agents.careful]
doc = "much thought"
model = "openai/gpt-5.5"
model_args = {{ base_url = "http://localhost:1" }}
reasoning_effort = "high"
generate = {{ max_retries = 5 }}
limits = {{ messages = 50, tokens = 100000, wall_s = 600, cost_usd = 2.5 }}
price = {{ input = "5", cached = 0.5, output = "30" }}

[agents.mine]
agent = "{OWN}@writes_one_label"
args = {{ label = "mass" }}
"""

REFUSED = {
    "an unknown key": ('[agents.a]\nmodl = "x/y"', "Did you mean model?"),
    "an unknown limit": ("[agents.a]\nlimits = { mesages = 3 }", "Did you mean messages?"),
    "an unknown table": ('[agent.a]\nmodel = "x/y"', "Did you mean agents?"),
    "no agent": ('format = "benchwright.agents-file/1"', "agents"),
    "a newer format": ('format = "benchwright.agents-file/2"\n[agents.a]', "agents-file/2"),
    "a limit of nothing": ("[agents.a]\nlimits = { tokens = 0 }", "tokens"),
    "a price too fine": (
        "[agents.a]\nprice = { input = 0.0001, cached = 0, output = 1 }",
        "decimal",
    ),
    "an empty model": ('[agents.a]\nmodel = ""', "agents.a: model"),
    "no number": ("[agents.a]\ngenerate = { temperature = nan }", "agents.a: temperature"),
    "no end": ("[agents.a]\nargs = { deep = { list = [inf] } }", "agents.a: list"),
    "half a price": ("[agents.a]\nprice = { input = 1, output = 1 }", "cached"),
    "a name with a space": ('[agents."a b"]', "a b"),
    "an unknown kind": ('[agents.a]\nagent = "recat"', "react"),
    "a file without a name": ('[agents.a]\nagent = "mine.py"', "file.py@name"),
    "a file that is not there": ('[agents.a]\nagent = "mine.py@solve"', "mine.py"),
    "the oracle in disguise": ('[agents.a]\nagent = "benchwright/oracle"', "benchwright/oracle"),
    "a key of a provider": ('[agents.a]\nmodel_args = { api_key = "x" }', "api_key"),
    "a token": ('[agents.a]\nmodel_args = { access_token = "x" }', "access_token"),
    "a key of own code": ('[agents.a]\nargs = { service_secret = "x" }', "service_secret"),
    "a key in a header": (
        '[agents.a]\ngenerate = { extra_headers = { "X-Api-Key" = "x" } }',
        "X-Api-Key",
    ),
    "a hidden key": (
        '[agents.a]\ngenerate = { extra_headers = { Authorization = "x" } }',
        "Authorization",
    ),
    "a login in an address": (
        '[agents.a]\nmodel_args = { base_url = "https://me:x@example.org/v1" }',
        "value of base_url",
    ),
    "a key under another name": (
        '[agents.a]\nargs = { words = ["sk-abcdefghijklmnop1234"] }',
        "value of words",
    ),
    "a taken name": ('[agents.react]\nmodel = "x/y"', "react"),
}


@pytest.fixture
def write(tmp_path: Path):
    def written(text: str) -> Path:
        (tmp_path / "agents.toml").write_text(text)
        return tmp_path / "agents.toml"

    return written


def test_every_key_is_read(write) -> None:
    careful = read_agents(write(FULL))["careful"]
    assert careful.generate == {"max_retries": 5, "reasoning_effort": "high"}
    assert careful.limits == AgentLimits(50, 100_000, 600, 2_500_000_000)
    assert careful.price == Price(5000, 500, 30_000)
    assert careful.settings() == {
        "model_args": {"base_url": "http://localhost:1"},
        "generate": {"max_retries": 5, "reasoning_effort": "high"},
        "limits": {
            "messages": 50, "tokens": 100_000, "wall_s": 600, "cost_nano_usd": 2_500_000_000
        },
        "price": {"input": 5000, "cached": 500, "output": 30_000},
    }  # fmt: skip


@pytest.mark.parametrize(("text", "word"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_used_is_one_line(write, text: str, word: str) -> None:
    with pytest.raises(BenchwrightError) as refused:
        known_agents(file=write(text))
    assert word in str(refused.value) and "\n" not in str(refused.value)


def test_the_shipped_agents_differ_in_nothing_from_themselves() -> None:
    assert model_agents()["react"].settings() == {}


def test_a_record_has_settings_only_where_something_was_asked(write) -> None:
    suite, known = open_suite("tracebench"), known_agents(file=write(FULL))
    plain = agent_record(suite, "react", "openai/x", "bwrap", known)
    own = agent_record(suite, "mine", "openai/x", "bwrap", known)
    assert plain.settings == {}
    assert own.settings["agent"] == "own_agents.py@writes_one_label"
    assert own.settings["args"] == {"label": "mass"}
    assert len(str(own.settings["code"])) == 64
    assert agent_record(suite, "careful", None, "bwrap", known).model == "openai/gpt-5.5"


def test_own_code_in_another_version_is_another_agent(tmp_path: Path) -> None:
    suite, records = open_suite("tracebench"), []
    for text in ("x = 1", "x = 2"):
        (tmp_path / "mine.py").write_text(text)
        name = f"{tmp_path}/mine.py@solve"
        records.append(agent_record(suite, name, None, "bwrap", known_agents([name])))
    assert records[0].name == records[1].name == "mine.py@solve"
    assert records[0] != records[1]


def test_an_entry_may_not_take_the_name_of_a_built_in_agent(write) -> None:
    known = known_agents(file=write('[agents.jumps]\nmodel = "x/y"'))
    with pytest.raises(SpecError, match="taken already"):
        agent_record(open_suite("tracebench"), "jumps", None, "bwrap", known)


def test_own_code_never_runs_without_a_sandbox() -> None:
    name = f"{OWN}@writes_one_label"
    with pytest.raises(SpecError, match="only built-in agents"):
        agent_record(open_suite("tracebench"), name, None, "none", known_agents([name]))


@pytest.mark.parametrize(
    ("task", "own", "found"), [(0, None, 0), (0, 5, 5), (9, None, 9), (9, 5, 5), (5, 9, 5)]
)
def test_of_two_limits_the_smaller_holds(task: int, own: int | None, found: int) -> None:
    limits = AgentLimits(messages=own, tokens=own, wall_s=own)
    within = limits.within(TaskLimits(wall_s=task, messages=task, tokens=task))
    assert (within.wall_s, within.messages, within.tokens) == (found, found, found)


def test_the_loop_and_inspects_own_solvers_are_refused_without_a_model() -> None:
    suite, known = open_suite("tracebench"), known_agents(["inspect_ai/generate"])
    for name in ("react", "inspect_ai/generate"):
        for model in (None, ""):
            with pytest.raises(SpecError, match="agent needs a model"):
                agent_record(suite, name, model, "bwrap", known)
    assert agent_record(suite, "inspect_ai/generate", "openai/x", "bwrap", known).model
