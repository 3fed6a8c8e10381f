"""What the agent looked up outside, and what it got: for every claim that rests on a source."""

from __future__ import annotations

from dataclasses import dataclass

from benchwright.trajectory.events import Anchor, Call, Event, Result
from benchwright.trajectory.shell.commands import parse_argv, parse_script
from benchwright.trajectory.tools import argument

HEAD = 600
_FETCHERS = ("curl", "wget", "http", "https", "aria2c", "lynx")
_WORDS = ("search", "fetch", "browse", "arxiv", "scholar", "crawl", "retriev")


@dataclass(frozen=True, slots=True)
class Search:
    """One retrieval."""

    query: str
    """Query or address; of a command, the command."""
    source: str
    """Name of the tool."""
    status: str
    length: int | None
    """Characters of what came back; None where the log does not keep it."""
    head: str | None
    """Its first 600 characters."""
    anchor: Anchor
    time: str | None
    thread: str
    call_id: str


class Searches:
    """Fold: web searches and fetches, by tools, MCP tools and commands; local ones on demand."""

    def __init__(self, *, local: bool = False) -> None:
        self._local = local
        self._open: dict[str, tuple[Call, str]] = {}
        self.searches: list[Search] = []

    def see(self, event: Event) -> None:
        """Take one event."""
        if isinstance(event, Call):
            query = self._query(event)
            if query is not None:
                self._open[event.call_id] = (event, query)
        elif isinstance(event, Result) and event.call_id in self._open:
            self._add(*self._open.pop(event.call_id), event)

    def end(self) -> None:
        """Retrievals that were never answered are listed too."""
        for call, query in self._open.values():
            self._add(call, query, None)
        self._open.clear()

    def _add(self, call: Call, query: str, result: Result | None) -> None:
        text = result.text if result else None
        self.searches.append(
            Search(
                query, call.name, result.status if result else "missing",
                None if text is None else len(text), None if text is None else text[:HEAD],
                call.anchor, call.time, call.thread, call.call_id,
            )
        )  # fmt: skip

    def _query(self, call: Call) -> str | None:
        wanted = ("search", "fetch", "find") if self._local else ("search", "fetch")
        named = call.kind in ("mcp", "other") and any(w in call.name.lower() for w in _WORDS)
        if call.kind in wanted or named:
            value = argument(call.arguments, "query")
            parts = value if isinstance(value, list) else [value]
            return "; ".join(str(part) for part in parts if part is not None)
        return _command(call) if call.kind == "shell" else None


def _command(call: Call) -> str | None:
    command = argument(call.arguments, "command")
    words = command if isinstance(command, list) else [command]
    if not all(isinstance(word, str) for word in words):
        return None
    plain = " ".join(words)
    if not any(name in plain for name in _FETCHERS):
        return None
    script = parse_argv(words) if isinstance(command, list) else parse_script(plain)
    fetched = [c for c in script.commands if c.name in _FETCHERS]
    return "; ".join(" ".join(word or "…" for word in c.words) for c in fetched) or None
