"""Scripts for the scripted model: each is named as scripted/tests.running.policies:NAME."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from benchwright.testing import Busy, Refused, Reply, Said

_WRITE = """import json, os
names = sorted(os.listdir("test_samples"))
json.dump({name: ["no parameter change"] for name in names}, open("results.json", "w"))
print(len(names), "answers written")
"""


_SLOW_RULE = """import time
def predict(df):
    time.sleep(1)
    return ["no parameter change"]
"""


def answers_all_the_same(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """Looks at the folder, writes one answer for every sample with python, submits."""
    turn = sum(1 for s in said if s.role == "assistant")
    if turn == 0:
        return Reply("I look first.", (("bash", {"command": "ls test_samples | head -3"}),))
    if turn == 1:
        return Reply("I write the answers.", (("python", {"code": _WRITE}),))
    return Reply("Done.", (("submit", {"answer": "results.json is there"}),))


def takes_its_time(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """Sleeps in the sandbox first, then does as `answers_all_the_same`."""
    if any(s.role == "assistant" for s in said):
        return answers_all_the_same(said, tools)
    return Reply("I wait.", (("bash", {"command": "sleep 1.5; ls test_samples | wc -l"}),))


def leaves_a_slow_rule(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """Leaves a rule that sleeps for a second on every sample."""
    if any(s.role == "assistant" for s in said):
        return Reply("", (("submit", {"answer": "rule.py is there"}),))
    return Reply("", (("bash", {"command": f"cat > rule.py <<'EOF'\n{_SLOW_RULE}EOF"}),))


def blocks(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """Holds up the whole process, as a client without cancellation does; says so in a file."""
    Path(os.environ["BLOCKED"]).touch()
    time.sleep(600)
    return Reply("too late")


def never_stops(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """Calls a tool again and again."""
    return Reply("again", (("bash", {"command": "true"}),))


def breaks(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """A provider that fails at its second turn."""
    if any(s.role == "assistant" for s in said):
        raise ConnectionError("the provider hung up")
    return Reply("hello", (("bash", {"command": json.dumps("x")}),))


def breaks_while_down(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """A provider that hangs up at its second turn while the file PROVIDER_DOWN exists."""
    if any(s.role == "assistant" for s in said) and Path(os.environ["PROVIDER_DOWN"]).exists():
        raise ConnectionError("the provider is down")
    return answers_all_the_same(said, tools)


def busy_while_down(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """A provider that asks to wait as long as the file PROVIDER_DOWN exists."""
    if Path(os.environ["PROVIDER_DOWN"]).exists():
        raise Busy("too many requests")
    return answers_all_the_same(said, tools)


def always_busy(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """A provider that asks to wait again and again."""
    raise Busy("too many requests")


def refuses(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """A provider that takes this request for an invalid one."""
    raise Refused("400: no such option")


def kills_the_box(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """Tries to end everything in its sandbox, then goes on as if nothing were."""
    if sum(1 for s in said if s.role == "assistant") < 3:
        return Reply("", (("bash", {"command": "kill -9 -1; kill -9 1; echo still here"}),))
    return Reply("", (("submit", {"answer": "done"}),))


def says_half_a_character(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """Text and arguments with one half of a surrogate pair, which is no UTF-8."""
    if any(s.role == "assistant" for s in said):
        return Reply("", (("submit", {"answer": "\udcff"}),))
    return Reply("half \ud83d of it", (("bash", {"command": "echo 'a\ud83db'"}),))


def fails_with_half_a_character(said: tuple[Said, ...], tools: tuple[str, ...]) -> Reply:
    """A provider whose complaint is no UTF-8."""
    raise ConnectionError("half \ud83d of it")
