"""Sub-agents of Claude Code: by parent call, inline, as progress, and in files of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchwright.trajectory.events import Begin, Call, Event, Message, Result, Usage
from benchwright.trajectory.log import Log
from tests.trajectory.readers.claude_records import (
    assistant,
    counts,
    init,
    kept,
    outcome,
    use,
    user,
    words,
)
from tests.trajectory.readers.reading import calls, of, read

TASK = kept(assistant(use("t1", "Task", prompt="find it")), "u1")


def finished(agent: str = "a1", **more: Any) -> dict[str, Any]:
    twin = {"agentId": agent, "status": "completed", **more}
    return kept(user(outcome("t1", "found")), "u9", "u1", toolUseResult=twin)


def side(record: dict[str, Any], uuid: str, parent: str | None, **more: Any) -> dict[str, Any]:
    return kept(record, uuid, parent, isSidechain=True, **more)


def progress(record: dict[str, Any], uuid: str, agent: str = "a1") -> dict[str, Any]:
    inner = {k: v for k, v in record.items() if k in ("type", "message")}
    data = {"type": "agent_progress", "agentId": agent, "prompt": "find it"}
    data["message"] = {**inner, "uuid": f"{uuid}-inner", "timestamp": "2026-01-01T00:00:01.000Z"}
    return kept({"type": "progress", "data": data}, uuid, "u1", parentToolUseID="t1")


def threads(events: list[Event]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for event in events:
        if isinstance(event, Call):
            found.setdefault(event.thread, []).append(event.call_id)
    return found


def test_a_stream_names_the_thread_after_the_call_that_started_it(tmp_path: Path) -> None:
    inner = {"parent_tool_use_id": "t1"}
    events, _ = read(
        tmp_path,
        init(),
        assistant(use("t1", "Task", prompt="find it")),
        user(words("find it"), **inner),
        assistant(use("c1"), id="m2", **inner),
        user(outcome("c1"), **inner),
        user(outcome("t1", "found")),
    )
    begin = of(Begin, events)[1]
    assert (begin.thread, begin.extra) == ("t1", {"call": "t1"})
    assert threads(events) == {"": ["t1"], "t1": ["c1"]}
    assert [(m.thread, m.text) for m in of(Message, events)] == [("t1", "find it")]
    assert [(r.call_id, r.child) for r in of(Result, events)] == [("c1", None), ("t1", "t1")]


def test_sidechains_inside_an_old_session_follow_the_call_with_their_prompt(
    tmp_path: Path,
) -> None:
    both = assistant(
        use("t1", "Task", prompt="find it"), use("t2", "Task", prompt="read it"), words("go")
    )
    events, log = read(
        tmp_path,
        kept(both, "u1"),
        side(user("read it"), "b1", None),
        side(user("find it"), "a1", None),
        side(assistant(use("c2"), id="m3"), "b2", "b1"),
        side(assistant(use("c1"), id="m2"), "a2", "a1"),
        side(user(outcome("c1")), "a3", "a2"),
        side(user(outcome("c2")), "b3", "b2"),
        side(user("nobody asked"), "z1", None),
        kept(user(outcome("t1"), outcome("t2")), "u2", "u1"),
    )
    assert threads(events) == {"": ["t1", "t2"], "t1": ["c1"], "t2": ["c2"]}
    assert {r.call_id: r.child for r in of(Result, events)}["t2"] == "t2"
    assert [m.thread for m in of(Message, events)] == ["", "t2", "t1", "sidechain z1"]
    assert not log.notes.counts


def test_copies_in_progress_records_are_the_sub_agent(tmp_path: Path) -> None:
    events, log = read(
        tmp_path,
        TASK,
        progress(user(words("find it")), "p1"),
        progress(assistant(use("c1"), id="m2", usage=counts(5, 1)), "p2"),
        progress(user(outcome("c1", "it")), "p3"),
        finished(),
    )
    begin = of(Begin, events)[1]
    assert (begin.thread, begin.extra) == ("a1", {"call": "t1"})
    assert threads(events) == {"": ["t1"], "a1": ["c1"]}
    assert [(name, text) for name, _, _, text in calls(events)] == [("t1", "found"), ("c1", "it")]
    assert of(Usage, events)[-1].thread == "a1"
    call = of(Call, events)[1]
    assert (call.anchor.line, call.anchor.pointer) == (3, "/data/message/message/content/0")
    assert call.time == "2026-01-01T00:00:01.000Z"
    assert not log.notes.counts


def write(path: Path, *records: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def agent_file(agent: str = "a1") -> list[dict[str, Any]]:
    more = {"agentId": agent}
    step = assistant(use(f"{agent}-c1"), id=f"{agent}-m", usage=counts(5, 40), stop_reason="x")
    return [
        side(user("find it"), f"{agent}-1", None, **more),
        side(step, f"{agent}-2", f"{agent}-1", **more),
        side(user(outcome(f"{agent}-c1", "it")), f"{agent}-3", f"{agent}-2", **more),
    ]


LAYOUTS = ["log/subagents/agent-a1.jsonl", "s1/subagents/agent-a1.jsonl",
           "s1/subagents/workflows/w1/agent-a1.jsonl", "agent-a1.jsonl"]  # fmt: skip


@pytest.mark.parametrize("where", LAYOUTS)
def test_the_file_of_a_sub_agent_is_read_after_the_session(tmp_path: Path, where: str) -> None:
    write(tmp_path / where, *agent_file())
    events, log = read(tmp_path, TASK, finished())
    assert threads(events) == {"": ["t1"], "a1": ["a1-c1"]}
    begin = of(Begin, events)[1]
    assert (begin.thread, begin.extra) == ("a1", {"call": "t1"})
    places = {e.anchor.file for e in events if isinstance(e, Call | Result) and e.call_id != "t1"}
    assert places == {where}
    raw = (tmp_path / where).read_bytes()
    anchor = of(Call, events)[1].anchor
    assert json.loads(raw[anchor.start : anchor.end])["uuid"] == "a1-2"
    assert not log.notes.counts


def test_a_file_repeats_what_progress_said_and_has_the_whole_counts(tmp_path: Path) -> None:
    write(tmp_path / LAYOUTS[0], *agent_file())
    early = [
        progress(user(words("find it")), "p1"),
        progress(assistant(use("a1-c1"), id="a1-m", usage=counts(5, 1)), "p2"),
        progress(user(outcome("a1-c1", "it")), "p3"),
    ]
    events, log = read(tmp_path, TASK, *early, finished())
    assert threads(events) == {"": ["t1"], "a1": ["a1-c1"]}
    assert [m.text for m in of(Message, events)] == ["find it"]
    steps = [(u.completion, u.partial) for u in of(Usage, events)]
    assert steps == [(1, True), (40, False)]
    assert log.notes.counts == {"repeated": 3}


def test_a_file_that_is_named_and_absent_is_counted(tmp_path: Path) -> None:
    _, log = read(tmp_path, TASK, finished("missing"))
    assert log.notes.counts == {"companion": 1}


def test_files_of_other_sessions_beside_the_log_are_left_alone(tmp_path: Path) -> None:
    write(tmp_path / "agent-other.jsonl", *agent_file("other"))
    write(tmp_path / "s9/subagents/agent-nine.jsonl", *agent_file("nine"))
    events, _ = read(tmp_path, TASK, finished())
    assert threads(events) == {"": ["t1"]}


def outside(tmp_path: Path, how: str) -> tuple[list[Event], Log]:
    """A log whose companion would be the file `secret.jsonl` outside its folder."""
    secret = tmp_path / "secret.jsonl"
    write(secret, *agent_file())
    folder = tmp_path / "logs"
    folder.mkdir()
    if how == "link to the file":
        (folder / "log" / "subagents").mkdir(parents=True)
        (folder / "log" / "subagents" / "agent-a1.jsonl").symlink_to(secret)
    elif how == "link to the folder":
        write(tmp_path / "far" / "subagents" / "agent-a1.jsonl", *agent_file())
        (folder / "log").symlink_to(tmp_path / "far")
    elif how == "link beside the log":
        (folder / "agent-a1.jsonl").symlink_to(secret)
    agent = "/../../secret" if how == "name of the agent" else "a1"
    session = "../far" if how == "name of the session" else "s1"
    write(tmp_path / "far" / "subagents" / "agent-a2.jsonl", *agent_file("a2"))
    return read(folder, {**TASK, "sessionId": session}, finished(agent))


@pytest.mark.parametrize(
    "how",
    ["link to the file", "link to the folder", "link beside the log", "name of the agent",
     "name of the session"],
)  # fmt: skip
def test_nothing_outside_the_folder_of_the_log_is_opened(tmp_path: Path, how: str) -> None:
    events, log = outside(tmp_path, how)
    assert threads(events) == {"": ["t1"]}
    assert log.notes.counts["companion"] == 1


def test_the_file_of_a_sub_agent_by_itself_is_a_log_whose_agent_is_the_main_one(
    tmp_path: Path,
) -> None:
    events, log = read(tmp_path, *agent_file(), name="agent-a1.jsonl")
    assert threads(events) == {"": ["a1-c1"]}
    assert len(of(Begin, events)) == 1
    assert not log.notes.counts


def test_a_damaged_file_of_a_sub_agent_is_counted_with_its_name(tmp_path: Path) -> None:
    write(tmp_path / LAYOUTS[0], *agent_file(), 42)
    with (tmp_path / LAYOUTS[0]).open("a") as file:
        file.write('{"cut":')
    _, log = read(tmp_path, TASK, finished())
    assert log.notes.counts == {"scalar": 1, "cut": 1}
    place = log.notes.examples["cut"][0][0]
    assert place is not None
    assert place.file == LAYOUTS[0]


def test_a_link_that_leads_out_is_not_even_listed(tmp_path: Path) -> None:
    write(tmp_path / "far" / "agent-a2.jsonl", *agent_file("a2"))
    (tmp_path / "near" / "log").mkdir(parents=True)
    (tmp_path / "near" / "log" / "subagents").symlink_to(tmp_path / "far")
    told = (
        "import sys; from pathlib import Path\n"
        "from benchwright.trajectory.readers.claude_companions import companions\n"
        "seen = []\n"
        "sys.addaudithook(lambda name, given: seen.append((name, given)))\n"
        "list(companions(Path(sys.argv[1]), None, ['a2']))\n"
        "print([str(g[0]) for n, g in seen if n in ('os.scandir', 'os.listdir')])"
    )
    log = tmp_path / "near" / "log.jsonl"
    done = subprocess.run([sys.executable, "-c", told, log], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"
