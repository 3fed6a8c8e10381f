"""What holds for every Claude log: repeats change nothing, cuts add nothing, nothing crashes."""

from __future__ import annotations

import copy
import json
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.trajectory.events import Anchor, Begin, Call, Event, Message, Result, Usage
from benchwright.trajectory.notes import Notes
from benchwright.trajectory.readers.claude_session import ClaudeSession
from benchwright.trajectory.readers.claude_stream import ClaudeStream
from benchwright.trajectory.records import Record
from tests.trajectory.readers.claude_records import (
    assistant,
    closing,
    counts,
    init,
    kept,
    models,
    outcome,
    use,
    user,
    words,
)

NOWHERE = Path(__file__).with_name("no-such-log.jsonl")


def events_of(records: list[Any], *, session: bool) -> list[Event]:
    path = Path(__file__)  # a stream is searched for denials: here there are none
    reader = ClaudeSession(NOWHERE, Notes()) if session else ClaudeStream(path, Notes())
    found: list[Event] = []
    for number, value in enumerate(records, 1):
        found += reader.feed(Record(value, Anchor(number, 0, 0)))
    return [*found, *reader.end()]


def tokens(events: list[Event]) -> tuple[int, int]:
    """Prompt and completion, by the widest scope, the last of each key."""
    last = {(e.scope, e.thread, e.key): e for e in events if isinstance(e, Usage)}
    runs = [usage for (scope, _, _), usage in last.items() if scope == "run"]
    chosen = runs or list(last.values())
    return sum(u.prompt or 0 for u in chosen), sum(u.completion or 0 for u in chosen)


def totals(events: list[Event]) -> dict[str, Any]:
    """What a log comes to."""
    kinds = Counter(type(e).__name__ for e in events if not isinstance(e, Usage | Begin))
    answered = {e.call_id: (e.status, e.text) for e in events if isinstance(e, Result)}
    asked = Counter(e.call_id for e in events if isinstance(e, Call))
    return {"kinds": kinds, "answered": answered, "asked": asked, "tokens": tokens(events)}


@st.composite
def conversations(draw: st.DrawFn, *, session: bool) -> list[dict[str, Any]]:
    """Records of a run: answers of some blocks, results in any order, words in between."""
    records: list[dict[str, Any]] = [] if session else [init(uuid="u-init")]
    waiting: list[str] = []
    prompt = completion = 0
    for number in range(draw(st.integers(1, 4))):
        records.append(user(draw(st.sampled_from(["go", "on", "stop"])), uuid=f"u{number}-said"))
        output = draw(st.integers(1, 50))
        asked = [use(f"c{number}-{n}", draw(st.sampled_from(["Bash", "Read"]))) for n in range(2)]
        blocks = draw(st.permutations([words("hm"), *asked]))
        for n, block in enumerate(blocks):
            stop = "tool_use" if n == len(blocks) - 1 else None
            usage = counts(10 + number, output if stop else 1)
            record = assistant(block, id=f"m{number}", usage=usage, stop_reason=stop)
            records.append({**record, "uuid": f"u{number}-{n}"})
        prompt, completion = prompt + 10 + number, completion + output
        waiting += [block["id"] for block in asked]
        waiting = draw(st.permutations(waiting))
        for _ in range(draw(st.integers(0, len(waiting)))):
            failed = draw(st.booleans())
            records.append(
                user(outcome(waiting[0], "text", is_error=failed), uuid=f"r{waiting[0]}")
            )
            waiting = waiting[1:]
    if session:
        return [kept(record, str(record["uuid"])) for record in records]
    end = closing(modelUsage=models(prompt, completion), usage=counts(prompt, completion))
    return records + ([{**end, "uuid": "u-end"}] if draw(st.booleans()) else [])


@settings(max_examples=60)
@given(st.data(), st.booleans())
def test_repeating_records_that_have_an_id_changes_nothing(
    data: st.DataObject, session: bool
) -> None:
    records = data.draw(conversations(session=session))
    again = list(records)
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(again) - 1))
        again.insert(data.draw(st.integers(at + 1, len(again))), again[at])
    assert totals(events_of(again, session=session)) == totals(events_of(records, session=session))


@settings(max_examples=60)
@given(st.data(), st.booleans())
def test_a_cut_adds_no_answer_no_success_and_no_token(data: st.DataObject, session: bool) -> None:
    records = data.draw(conversations(session=session))
    cut = records[: data.draw(st.integers(0, len(records)))]
    whole, short = (totals(events_of(part, session=session)) for part in (records, cut))
    assert short["answered"].items() <= whole["answered"].items()
    assert all(number <= whole["asked"][call] for call, number in short["asked"].items())
    assert short["tokens"] <= whole["tokens"]
    assert short["tokens"][1] <= whole["tokens"][1]


JUNK: list[Any] = [None, True, -1, 2.5, 1e308, "", "c0-0", [], {}, [None], {"type": {}}, [[["x"]]]]


@st.composite
def damaged(draw: st.DrawFn) -> list[Any]:
    """A conversation with some members left out, replaced by junk, or under other names."""
    session = draw(st.booleans())
    records: list[Any] = copy.deepcopy(draw(conversations(session=session)))
    places = [place for record in records for place in _places(record)]
    for holder, key in draw(st.lists(st.sampled_from(places), min_size=1, max_size=12)):
        if draw(st.booleans()):
            holder[key] = draw(st.sampled_from(JUNK))
        elif isinstance(holder, dict):
            holder.pop(key, None)
    return draw(st.permutations([*records, *draw(st.lists(st.sampled_from(JUNK), max_size=3))]))


def _places(value: Any) -> list[tuple[Any, Any]]:
    inner = list(value.items() if isinstance(value, dict) else enumerate(value))
    below = [p for _, part in inner if isinstance(part, dict | list) for p in _places(part)]
    return [(value, key) for key, _ in inner] + below


@settings(max_examples=80)
@given(damaged(), st.booleans())
def test_damaged_records_never_crash_and_keep_the_vocabulary(
    records: list[Any], session: bool
) -> None:
    events = events_of(records, session=session)
    asked = [e.call_id for e in events if isinstance(e, Call)]
    answered = [e.call_id for e in events if isinstance(e, Result)]
    assert len(set(asked)) == len(asked)
    assert len(set(answered)) == len(answered)
    for event in events:
        if isinstance(event, Usage):
            numbers = (event.prompt, event.cached, event.completion, event.cost_nano)
            assert all(number is None or number >= 0 for number in numbers)
            assert event.cached is None or event.cached <= (event.prompt or 0)
        if isinstance(event, Message):
            assert isinstance(event.text, str)
        if isinstance(event, Call):
            assert isinstance(event.arguments, dict)
            json.dumps(dict(event.arguments))
