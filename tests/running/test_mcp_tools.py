"""A client of the official library talks to a desk in another process; the record is the same."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from benchwright.episodes.session import Bad, Called, Ended, read_session_in
from benchwright.running.desk import Desk
from tests.conftest import ROOT
from tests.running import talkers
from tests.running.talking import new_session

SERVE = """
import sys
from pathlib import Path
from benchwright.running.desk_tools import desk_tools
from benchwright.running.desk import Desk
from benchwright.running.mcp_tools import serve
from tests.running.talking import new_session
desk = Desk(new_session("south"))
print(desk.open().text, file=sys.stderr)
try:
    serve("talk", desk_tools(desk))
finally:
    desk.keep(Path(sys.argv[1]))
"""


def client(folder: Path) -> Any:
    mcp = pytest.importorskip("mcp")
    args = ["-c", SERVE, str(folder)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return mcp.Client(mcp.StdioServerParameters(command=sys.executable, args=args, env=env))


async def test_a_client_leaves_the_same_record_as_an_agent_of_ours(tmp_path: Path) -> None:
    async with client(tmp_path) as talking:
        listed = {t.name: t for t in (await talking.list_tools()).tools}
        assert list(listed) == ["level", "ask_operator", "reply"]
        slot = listed["ask_operator"].input_schema["properties"]["slot"]
        assert (slot["type"], slot["description"]) == ("string", "One of: tank, unit.")
        assert "handles" in str(listed["reply"].input_schema["properties"]["sources"])
        said = await talking.call_tool("ask_operator", {"slot": "tank"})
        assert (said.content[0].text, said.is_error) == ("the south tank.", False)
        for tank in ("south", "north"):
            read = (await talking.call_tool("level", {"tank": tank})).structured_content
            sources = {"handles": [read["handle"]]}
            given = {"metres": read["metres"], "sources": sources}
            said = await talking.call_tool("reply", given)
        assert said.content[0].text == "Thank you.\n[The conversation is over.]"
    desk = Desk(new_session("south"))
    desk.open()
    talkers.knows(desk)
    assert read_session_in(tmp_path) == desk.exchanges()


async def test_odd_calls_of_a_client_are_told_noted_and_counted(tmp_path: Path) -> None:
    async with client(tmp_path) as talking:
        refused = await talking.call_tool("level", {"tank": "east"})
        assert refused.is_error and refused.structured_content == {"error": "unknown"}
        odd = await talking.call_tool("level", {"barrel": 1})
        assert odd.is_error and odd.structured_content["error"] == "bad_argument"
        more = await talking.call_tool("reply", {"metres": "much"})
        assert "metres" in more.content[0].text
        none = await talking.call_tool("shout", {})
        assert none.is_error and "No tool" in none.content[0].text
        for _ in range(30):
            last = await talking.call_tool("ask_operator", {"slot": "tank"})
        assert last.content[0].text == "The conversation is over."
        closed = await talking.call_tool("level", {"tank": "south"})
        assert closed.is_error and closed.structured_content["error"] == "over"
    kept = read_session_in(tmp_path)
    assert [e.tool for e in kept if isinstance(e, Bad)] == ["level", "reply"]
    assert len([e for e in kept if isinstance(e, Called)]) == 1
    assert kept[-1] == Ended(len(kept) - 1, "turns", 8)
