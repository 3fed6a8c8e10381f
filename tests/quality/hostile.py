"""Agents that leave what no scorer should trust: one command line, or one rule file, each."""

from __future__ import annotations

import json
from dataclasses import dataclass

from benchwright.isolation.workspace import Workspace
from benchwright.running.desk import Desk
from benchwright.running.model import AgentMaker
from benchwright.tasks.model import Gold, Task


@dataclass(frozen=True)
class Commander:
    """Runs one shell command in the box, beside a valid answer under another name."""

    command: str

    async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
        label = task.submission.labels[0]
        answers = json.dumps({name: [label] for name in task.submission.samples})
        await box.write("answers.txt", answers.encode())
        await box.exec(["sh", "-c", self.command], timeout_s=20)


@dataclass(frozen=True)
class Raiser:
    """Leaves a valid answer and then fails in its own code."""

    message: str

    async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
        await Commander("cp answers.txt results.json").act(task, box, desk)
        raise RuntimeError(self.message)


@dataclass(frozen=True)
class RuleLeaver:
    """Leaves one rule file."""

    rule: str

    async def act(self, task: Task, box: Workspace, desk: Desk | None) -> None:
        await box.write("rule.py", self.rule.encode(errors="surrogatepass"))


def python(code: str) -> str:
    return f"python3 -c '{code}'"


LOAD = 'import json, os; d = json.load(open("answers.txt")); k = sorted(d)'
SAVE = 'json.dump(d, open("results.json", "w"))'

RESULTS = {
    "two_hundred_megabytes": "head -c 209715200 /dev/zero | tr '\\0' ' ' > results.json",
    "two_hundred_megabytes_of_hole": "truncate -s 200M results.json",
    "not_a_number": "sed 's/\\[[^]]*\\]/NaN/' answers.txt > results.json",
    "infinity": "sed 's/\\[[^]]*\\]/-Infinity/' answers.txt > results.json",
    "a_huge_number": "sed 's/\\[[^]]*\\]/1e999/' answers.txt > results.json",
    "very_deep": python("open(\"results.json\", \"w\").write(\"[\" * 1000000)"),
    "very_deep_in_a_key": python("open(\"results.json\", \"w\").write(\"{\\\"a\\\":\" * 500000)"),
    "a_list": "echo '[1, 2]' > results.json",
    "no_json": "echo hello > results.json",
    "nothing_in_it": ": > results.json",
    "no_text": "head -c 1000 /dev/urandom > results.json",
    "a_sample_missing": python(f"{LOAD}; del d[k[0]]; {SAVE}"),
    "a_sample_invented": python(f"{LOAD}; d[\"other.parquet\"] = [\"x\"]; {SAVE}"),
    "a_label_invented": python(f"{LOAD}; d[k[0]] = [\"cosmic rays\"]; {SAVE}"),
    "half_a_character": python(f"{LOAD}; d[k[0]] = [\"\\ud800\"]; {SAVE}"),
    "half_a_character_in_a_key": python(f"{LOAD}; d[\"\\ud800\"] = [\"x\"]; {SAVE}"),
    "a_key_twice": "sed 's/}$/,/; s/$/ /' answers.txt > r; tail -c +2 answers.txt >> r;"
    " mv r results.json",
    "an_empty_list": python(f"{LOAD}; d[k[0]] = []; {SAVE}"),
    "a_million_labels": python(f"{LOAD}; d[k[0]] = [\"x\"] * 1000000; {SAVE}"),
    "a_number_with_many_digits": python("open(\"results.json\", \"w\").write(\"1\" * 1000000)"),
    "a_link_to_users": "ln -s /etc/passwd results.json",
    "a_link_to_nothing": "ln -s /nowhere results.json",
    "a_pipe": "mkfifo results.json",
    "a_folder": "mkdir results.json",
    "a_file_nobody_may_read": "cp answers.txt results.json; chmod 000 results.json .",
    "written_after_the_end": "setsid sh -c 'sleep 0.2; while :; do cp answers.txt results.json;"
    " sleep 0.05; done' >/dev/null 2>&1 &",
    "scores_of_its_own": "mkdir -p scores artifacts; for f in scores/tracebench-1.json episode.json"
    " answers.json artifacts/answers.json reward.txt; do echo '{\"value\": 1}' > $f; done",
    "everything_killed": "kill -9 -1",
    "full_disk": "cp answers.txt results.json; cat /dev/zero > full; true",
    "many_files": python("import os; [open(f\"f{i}\", \"w\") for i in range(20000)]"),
}  # fmt: skip

RULES = {
    "forks": "import os\ndef predict(df):\n  while True:\n    try: os.fork()\n"
    "    except OSError: pass",
    "prints": "def predict(df):\n  while True: print('x' * 1000)",
    "sleeps": "import time\ndef predict(df):\n  time.sleep(600)",
    "allocates": "def predict(df):\n  return [str(len(bytearray(50 << 30)))]",
    "fills_memory": "def predict(df):\n  open('/dev/shm/x', 'wb').write(b'x' * (1 << 30))",
    "reads_users": "def predict(df):\n  return [open('/etc/passwd').read()]",
    "half_a_character": "def predict(df):\n  return ['\\ud800']",
    "half_a_character_in_an_error": "def predict(df):\n  raise ValueError('\\ud800')",
    "not_a_number": "def predict(df):\n  return [float('nan')]",
    "a_pickle_bomb": "import os\nclass B:\n  def __reduce__(self): return os.system, ('id',)\n"
    "def predict(df):\n  return [B()]",
    "counts": "N = []\ndef predict(df):\n  N.append(1)\n  return [str(len(N))]",
    "is_no_program": "def predict(df:\n",
    "is_no_text": "\ud800",
    "imports_what_is_not_there": "import torch\ndef predict(df): return ['x']",
}
HONEST = {"honest": "cp answers.txt results.json"}


def makers() -> dict[str, AgentMaker]:
    """Every agent of this file by name, as a suite would offer them."""
    agents: dict[str, AgentMaker] = {
        "raises": lambda task, gold, trial: Raiser("the agent's own fault")
    }
    for name, command in {**HONEST, **RESULTS}.items():
        agents[f"direct_{name}"] = _commander(command)
    for name, rule in RULES.items():
        agents[f"rule_{name}"] = _leaver(rule)
    return agents


def _commander(command: str) -> AgentMaker:
    def make(task: Task, gold: Gold | None, trial: int) -> Commander:
        assert gold is None
        return Commander(command)

    return make


def _leaver(rule: str) -> AgentMaker:
    def make(task: Task, gold: Gold | None, trial: int) -> RuleLeaver:
        assert gold is None
        return RuleLeaver(rule)

    return make
