"""`Evidence`: one kind of pointer for everything that a score or a finding rests on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """A place in an episode, and what is said to stand there.

    source and at:
    - `step`: a step of the trajectory, by number (`12`), or one call of it (`12 CALL-ID`)
    - `log`: lines of the log (`40`, `40-42`), bytes (`bytes 1200-1450`) or, of a log that is one
      JSON document, a JSON pointer (`/history/4`)
    - `log:PART`: lines (`40`) or JSON pointer (`/messages/3`) of a member of an archive, or of a
      sub-agent's file beside the log
    - `artifact:PATH`: a file that the agent left; the whole of it (``), lines as above, or a
      part of a JSON file by key or JSON pointer (`sample_3`, `/sample_3/0`)
    - `session`: one exchange of a conversation in `session.jsonl`, by its number (`7`)
    - `result:HANDLE`: a result of an operation, by its handle; `at` is free
    - `document`: a part of an analysis about the episode, by the number of an issue (`issue 7`) or
      the title of a section; followed by `diagnosis.labels`, not by `resolve`

    quote: text or a number that stands there; None where the place alone is meant.
    """

    source: str
    at: str
    quote: str | None = None
