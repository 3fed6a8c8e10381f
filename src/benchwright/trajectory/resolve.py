"""Following `Evidence` to what stands there, and confirming what is quoted.

A pointer that leads nowhere says why; nothing outside the episode's own folders is opened.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from benchwright.errors import BenchwrightError
from benchwright.storage import safe_join
from benchwright.trajectory.evidence import Evidence
from benchwright.trajectory.members import read_member

LARGEST = 64 * 1024 * 1024
"""Bytes of a file that are looked at."""

_NUMBER = re.compile(r"[-+]?(?:\d+(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]?\d+)?")
_LINES = re.compile(r"(\d{1,15})(?:-(\d{1,15}))?$")
_BYTES = re.compile(r"bytes (\d{1,15})-(\d{1,15})$")
_LONGEST_INDEX = 15
"""Digits of an index into a list."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts of an episode are; None where there is no such part."""

    trajectory: Path | None = None
    """ATIF document."""
    log: Path | None = None
    artifacts: Path | None = None
    results: Callable[[str], str | None] | None = None
    """Text of a result by its handle; None for a handle that no call returned."""
    session: Path | None = None
    """`session.jsonl` of an episode with an operator: a head line, then one exchange a line."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What stands at a place."""

    evidence: Evidence
    text: str | None
    """None where the pointer leads nowhere."""
    quote: Literal["confirmed", "absent", "not quoted"]
    why: str = ""


def resolve(evidence: Evidence, places: Places) -> Resolved:
    """Follow a pointer; never raises for a bad one.

    A quoted number counts as confirmed where a number in the text rounds to it at the digits that
    are quoted; a quoted text where it occurs with white space taken as equal; no words never.
    """
    try:
        text = _text(evidence, places)
    except (_NotThere, BenchwrightError, OSError) as error:
        why = error.problem if isinstance(error, BenchwrightError) else str(error)
        return Resolved(evidence, None, "absent" if evidence.quote else "not quoted", why)
    if evidence.quote is None:
        return Resolved(evidence, text, "not quoted")
    if quoted(evidence.quote, text) or quoted(evidence.quote, _unescaped(text)):
        return Resolved(evidence, text, "confirmed")
    return Resolved(evidence, text, "absent", "the quote does not stand there")


def quoted(quote: str, text: str) -> bool:
    """Whether `quote`, text or a number, stands in `text`."""
    number = _number(quote)
    if number is None:
        words = quote.split()
        return bool(words) and " ".join(words) in " ".join(text.split())
    step = Decimal(1).scaleb(_exponent(number))
    return any(abs(found - number) * 2 <= step for found in numbers(text))


def _unescaped(text: str) -> str:
    """What the strings of a JSON record, or of one a line, say; nothing for other text."""
    if text.lstrip()[:1] not in ("{", "["):
        return ""
    parts: list[str] = []
    try:
        _strings(json.loads(text), parts)
    except (ValueError, RecursionError):
        for line in text.splitlines():
            with contextlib.suppress(ValueError, RecursionError):
                _strings(json.loads(line), parts)
    return "\n".join(parts)


def _strings(value: Any, into: list[str]) -> None:
    if isinstance(value, str):
        into.append(value)
    elif isinstance(value, Mapping | list):
        for part in value.values() if isinstance(value, Mapping) else value:
            _strings(part, into)


def numbers(text: str) -> Iterator[Decimal]:
    """Every number in a text, in order; commas that group thousands are taken off."""
    for found in _NUMBER.finditer(text):
        value = _number(found.group())
        if value is not None:
            yield value


class _NotThere(Exception):
    """The pointer leads nowhere; the message says why."""


def _number(text: str) -> Decimal | None:
    plain = text.strip().replace(",", "")
    if not re.fullmatch(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,4})?", plain):
        return None
    try:
        return Decimal(plain)
    except InvalidOperation:
        return None


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _text(evidence: Evidence, places: Places) -> str:
    kind, _, rest = evidence.source.partition(":")
    if kind == "step":
        return _step(places.trajectory, evidence.at)
    if kind == "log" and rest:
        return _member(_existing(places.log, "log"), rest, evidence.at)
    if kind == "log" and evidence.at.startswith("/"):
        return _shown(_below(_json(_existing(places.log, "log")), evidence.at))
    if kind == "log":
        return _part(_existing(places.log, "log"), evidence.at)
    if kind == "artifact":
        folder = _existing(places.artifacts, "folder of artifacts")
        return _artifact(safe_join(folder, rest), evidence.at)
    if kind == "session":
        return _exchange(_existing(places.session, "record of a conversation"), evidence.at)
    if kind == "result":
        found = places.results(rest) if places.results else None
        if found is None:
            raise _NotThere("no call returned this handle")
        return found
    raise _NotThere(f"unknown kind of source: {kind!r}")


def _member(log: Path, name: str, at: str) -> str:
    """A part of a log that stands in another file, as `Anchor.file` names it."""
    data = read_member(log, name, LARGEST)
    if at.startswith("/"):
        try:
            return _shown(_below(json.loads(data), at))
        except (ValueError, RecursionError) as error:
            raise _NotThere(f"{name} is no JSON") from error
    lines = _LINES.match(at)
    if lines is None and at:
        raise _NotThere(f"cannot read the place {at!r}")
    text = data.decode("utf-8", "replace")
    if lines is None:
        return text
    first = int(lines.group(1))
    found = text.split("\n")[max(first - 1, 0) : int(lines.group(2) or first)]
    if not found:
        raise _NotThere(f"{name} has no line {at}")
    return "\n".join(found)


def _existing(path: Path | None, what: str) -> Path:
    if path is None or not path.exists():
        raise _NotThere(f"the episode has no {what}")
    return path


def _exchange(session: Path, at: str) -> str:
    """One line of a record of a conversation, found by its number and not by its place."""
    for line in _bytes(session).splitlines():
        exchange = _json_line(line)
        if isinstance(exchange, Mapping) and "n" in exchange and str(exchange["n"]) == at:
            return line.decode("utf-8", "replace")
    raise _NotThere(f"no exchange {at}")


def _json_line(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _NotThere("the record of the conversation is no JSON") from error


def _step(trajectory: Path | None, at: str) -> str:
    number, _, call = at.partition(" ")
    document = _json(_existing(trajectory, "trajectory"))
    steps = document.get("steps") if isinstance(document, Mapping) else None
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, Mapping) and str(step.get("step_id")) == number:
            return _step_text(step, call)
    raise _NotThere(f"no step {number}")


def _step_text(step: Mapping[str, Any], call: str) -> str:
    observation = step.get("observation")
    results = observation.get("results") if isinstance(observation, Mapping) else None
    asked_for, answers = _records(step.get("tool_calls")), _records(results)
    if not call:
        parts = [step.get("message"), step.get("reasoning_content")]
        calls = [item.get("arguments") for item in asked_for]
        given = [item.get("content") for item in answers]
        return "\n".join(_shown(part) for part in [*parts, *calls, *given] if part)
    asked = [c for c in asked_for if c.get("tool_call_id") == call]
    if not asked:
        raise _NotThere(f"no call {call} in that step")
    given = [r.get("content") for r in answers if r.get("source_call_id") == call]
    return "\n".join(_shown(part) for part in [asked[0].get("arguments"), *given] if part)


def _records(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _artifact(path: Path, at: str) -> str:
    if not path.is_file():
        raise _NotThere("no such file among the artifacts")
    if path.suffix == ".json" and at and not _LINES.match(at) and not _BYTES.match(at):
        return _shown(_below(_json(path), at))
    return _part(path, at)


def _below(value: Any, at: str) -> Any:
    """The part of a JSON value at a key or a JSON pointer."""
    keys = at[1:].split("/") if at.startswith("/") else [at]
    for key in keys:
        name = key.replace("~1", "/").replace("~0", "~") if at.startswith("/") else key
        if isinstance(value, Mapping) and name in value:
            value = value[name]
        elif isinstance(value, list) and _is_index(name) and int(name) < len(value):
            value = value[int(name)]
        else:
            raise _NotThere(f"nothing at {at!r}")
    return value


def _is_index(name: str) -> bool:
    return name.isdecimal() and len(name) <= _LONGEST_INDEX


def _json(path: Path) -> Any:
    try:
        return json.loads(_bytes(path))
    except (ValueError, RecursionError) as error:
        raise _NotThere(f"{path.name} is no JSON") from error


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise _NotThere(f"{path.name} is over {LARGEST} bytes")
    return data


def _part(path: Path, at: str) -> str:
    """Lines or bytes of a file, or the whole of it."""
    span, lines = _BYTES.match(at), _LINES.match(at.removeprefix("line ").removeprefix("lines "))
    if not at:
        return _bytes(path).decode("utf-8", "replace")
    with path.open("rb") as file:
        if span:
            start, end = int(span.group(1)), int(span.group(2))
            file.seek(start)
            found = file.read(min(max(end - start, 0), LARGEST))
        elif lines:
            first = int(lines.group(1))
            last = int(lines.group(2) or first)
            found = b"".join(islice(file, max(first - 1, 0), last))
        else:
            raise _NotThere(f"cannot read the place {at!r}")
    if not found:
        said = f"line{'s' if '-' in at else ''} {lines.group()}" if lines else at
        raise _NotThere(f"{path.name} has no {said}")
    return found.decode("utf-8", "replace")
