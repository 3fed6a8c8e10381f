"""A reply as sentences, in a fixed wording or in one that varies by a hash of what is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from benchwright.canonical import Json
from benchwright.suites.telemetry.families.model import draw

Say = Callable[[Any], str]
_ACTS: Final = {
    "answer": ("My action is answer.", "I answer.", "I report it."),
    "abstain": ("My action is abstain.", "I abstain.", "I withhold it; I do not report it."),
    "re_clarify": ("My action is re_clarify.", "I re-clarify.", "I ask you again."),
}
_QUESTIONS: Final = {
    "site": ("Which site do you mean?", "Please tell me which building that is."),
    "time": ("Which time do you mean?", "For what period do you want it?"),
    "point_class": ("Which point class do you mean?", "What kind of sensor is that?"),
    "unit": ("Which unit do you want?", "In what units should it be?"),
    "purpose": ("What is the purpose?", "What for, if I can ask?"),
}


def question(slot: str, seed: Mapping[str, Json] | None = None) -> str:
    """A question for a detail; for one that nobody knows, a question all the same."""
    every = _QUESTIONS.get(slot) or (f"What about the `{slot}`?",)
    return every[_place(seed, slot, len(every))]


def sentences_of(reply: Mapping[str, Any], seed: Mapping[str, Json] | None = None) -> str:
    """A reply in words; without a seed always in the first wording."""
    return " ".join(
        _sentence(name, value, seed) for name, value in reply.items() if _told(name, value)
    )


def _told(name: str, value: Any) -> bool:
    return value is not None and not (name == "handles" and not value)


def _sentence(name: str, value: Any, seed: Mapping[str, Json] | None) -> str:
    if name == "action":
        every: Sequence[Any] = _ACTS[value]
        return str(every[_place(seed, name, len(every))])
    wordings = _WORDINGS[name]
    return wordings[_place(seed, name, len(wordings))](value)


def _place(seed: Mapping[str, Json] | None, name: str, count: int) -> int:
    return 0 if seed is None else draw({**seed, "wording": name}, count)


def _number(value: float) -> str:
    return repr(value)


def _grouped(value: float) -> str:
    """With thousands separated, as long as that says the same."""
    text = repr(value)
    if "e" in text or "." not in text:
        return f"{value:,}" if isinstance(value, int) else text
    whole, part = text.split(".")
    return f"{int(whole):,}.{part}" if abs(value) >= 1 else text


def _code(value: object) -> str:
    return f"`{value}`"


def _listed(values: Sequence[object]) -> str:
    return ", ".join(map(_code, values)) or "none"


def _joined(values: Sequence[object]) -> str:
    *most, last = map(_code, values) if values else ["none"]
    return f"{', '.join(most)} and {last}" if most else last


def _apart(value: float) -> str:
    side = "earlier" if value < 0 else "later"
    return f"It lies {_number(abs(value))} s {side} than asked for."


def _about(template: str, show: Say) -> Say:
    return lambda value: template.format(show(value))


_WORDINGS: Final[Mapping[str, tuple[Say, ...]]] = {
    "reason": (
        _about("The reason is {}.", _code),
        _about("That is because of {}.", _code),
    ),
    "stream": (_about("The stream is {}.", _code), _about("I took stream {}.", _code)),
    "value": (
        _about("The value is {}.", _number),
        _about("It comes to a value of {}.", _grouped),
        _about("Value: {}", lambda v: f"{_number(v)}."),
    ),
    "of": (_about("It is a {}.", str), _about("The value is a {}.", str)),
    "observed": (
        _about("It was observed at {}.", str),
        _about("The time of the reading is {}.", str),
    ),
    "offset_s": (_about("The offset is {} s.", _number), _apart),
    "coverage": (
        _about("The coverage is {}.", _number),
        _about("That week has a coverage of {}.", _number),
    ),
    "gap_ratio": (
        _about("The gap ratio is {}.", _number),
        _about("Its gap ratio was {}.", _grouped),
    ),
    "decision": (
        _about("The decision is {}.", _code),
        _about("The decision on quality is {}.", _code),
    ),
    "quality_reason": (
        _about("The quality reason is {}.", _code),
        _about("The reason of that decision is {}.", _code),
    ),
    "deciding_check": (
        _about("The deciding check is {}.", _code),
        _about("The check that decided was {}.", _code),
    ),
    "mean_a": (
        _about("The first mean is {}.", _number),
        _about("The mean of the first stream is {}.", _grouped),
    ),
    "mean_b": (
        _about("The second mean is {}.", _number),
        _about("The mean of the second stream is {}.", _grouped),
    ),
    "difference": (
        _about("The difference is {}.", _number),
        _about("Their difference comes to {}.", _grouped),
    ),
    "higher": (_about("The higher one is {}.", _code), _about("{} has the higher mean.", _code)),
    "ranked": (
        _about("Ranked, highest first: {}.", _listed),
        _about("The order from highest to lowest is {}.", _joined),
    ),
    "winner": (_about("The winner is {}.", _code), _about("{} leads.", _code)),
    "margin": (
        _about("The margin is {}.", _number),
        _about("It leads by {}.", _grouped),
    ),
    "error": (
        _about("The error is {}.", _code),
        _about("It was refused with the error {}.", _code),
    ),
    "candidates": (
        _about("The candidates are {}.", _listed),
        _about("Candidates: {}.", _joined),
    ),
    "flag": (_about("The flag is {}.", _code), _about("It is marked as {}.", _code)),
    "streams": (
        _about("The supporting streams are {}.", _listed),
        _about("All this rests on {}.", _joined),
    ),
    "handles": (
        _about("I cite {}.", _listed),
        _about("Results: {}.", _joined),
    ),
}
