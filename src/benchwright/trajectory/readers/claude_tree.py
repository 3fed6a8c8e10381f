"""The tree that the records of a Claude session form: whose a record is, and where it branches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchwright.trajectory.events import Anchor, Mark
from benchwright.trajectory.readers.claude_blocks import Blocks, Place
from benchwright.trajectory.readers.parts import joined, mapping, text


class Tree:
    """Remembers a number for each prompt and each bookkeeping record, never a text."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self.main: str | None = None
        """Id of the agent whose own file this is, where it is that of a sub-agent."""
        self.calls: dict[str, str | None] = {}
        """Thread of a sub-agent: the call that started it."""
        self._inside = False
        self._sides: dict[str, str] = {}
        """Record of an unnamed sub-agent: its thread."""
        self._above: dict[int, int] = {}
        """Bookkeeping record: the record of the conversation that it hangs below."""
        self._prompts: dict[int, int] = {}
        """Record: the line of the first prompt that answers it."""

    def first(self, value: Mapping[str, Any]) -> None:
        """Note the first record of the file: it says whose file this is."""
        if value.get("isSidechain") is True:
            self.main = text(value.get("agentId"))
            self._inside = self.main is None

    def thread(self, value: Mapping[str, Any], file_of: str | None) -> str:
        """The thread of a record; file_of: the sub-agent whose file is being read."""
        agent = text(value.get("agentId")) or file_of
        if agent is not None:
            return "" if agent == self.main else agent
        if value.get("isSidechain") is not True or self._inside:
            return ""
        uuid, parent = text(value.get("uuid")), text(value.get("parentUuid"))
        thread = self._sides.get(parent) if parent else None
        if thread is None:
            thread = self._root(value, uuid)
        if uuid:
            self._sides[uuid] = thread
        return thread

    def _root(self, value: Mapping[str, Any], uuid: str | None) -> str:
        """The thread that begins here: named after the call whose prompt it begins with."""
        prompt = joined(mapping(value.get("message")).get("content"))[0]
        call = self._blocks.prompts.pop(hash(prompt), None)
        thread = call or f"sidechain {uuid}"
        self.calls[thread] = call
        return thread

    def call_of(self, thread: str) -> str | None:
        """The call that started a sub-agent, where it is known."""
        named = self._blocks.children.get(thread)
        return self.calls.get(thread) or (named[0] if named else None)

    def aside(self, value: Mapping[str, Any]) -> None:
        """Note a record that only hangs between two records of the conversation."""
        uuid, parent = text(value.get("uuid")), text(value.get("parentUuid"))
        if uuid and parent:
            self._above[hash(uuid)] = self._above.get(hash(parent), hash(parent))

    def branch(self, value: Mapping[str, Any], anchor: Anchor, place: Place) -> Mark | None:
        """A mark where a person says something else in the place of what was said before."""
        parent = text(value.get("parentUuid"))
        if parent is None or place.thread or place.synthetic or place.twin is not None:
            return None
        content = mapping(value.get("message")).get("content")
        blocks = content if isinstance(content, list) else []
        if any(mapping(block).get("type") == "tool_result" for block in blocks):
            return None
        if place.uuid is not None and not self._blocks.seen.add(place.uuid, "branch"):
            return None
        above = self._above.get(hash(parent), hash(parent))
        line = self._prompts.setdefault(above, anchor.line)
        if line == anchor.line:
            return None
        return Mark(anchor, "mode", "branch", time=place.time, extra={"left": line})
