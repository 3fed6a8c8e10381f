"""What is known of one file at one moment, and how an effect changes that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from benchwright.trajectory.files.effects import Effect, apply_edits
from benchwright.trajectory.files.patches import apply_hunks, apply_unified

Certainty = Literal["exact", "partial", "unavailable"]


@dataclass(slots=True)
class FileState:
    """`text` None: not known, or absent where `exists` is False."""

    text: str | None = None
    exists: bool | None = None
    """None: not said by the log."""
    doubts: tuple[str, ...] = ("its text before the first change is not in the log",)
    """Why the text may differ from the file; empty: it is the file."""
    drifted: tuple[str, ...] = ()
    """Places where the log shows that something unseen had changed the file."""

    @property
    def certainty(self) -> Certainty:
        """exact: the file held this text; partial: the best the log gives; unavailable: nothing."""
        if self.text is None and self.exists is not False:
            return "unavailable"
        return "partial" if self.doubts else "exact"

    def apply(self, effect: Effect, place: str) -> None:
        """Change what is known by an effect on this file; `place` is named in doubts."""
        if effect.kind == "nothing":
            return
        before = (self.text, self.exists, self.doubts)
        _APPLY[effect.kind](self, effect, place)
        if not effect.certain:
            self._undecided(before, f"{place}: {effect.why}")

    def doubt(self, why: str) -> None:
        """Something may have changed the file in a way that the log does not show."""
        if (self.text is not None or self.exists is False) and why not in self.doubts:
            self.doubts = (*self.doubts[:7], why)

    def _undecided(self, before: tuple[str | None, bool | None, tuple[str, ...]], why: str) -> None:
        if before[0] is not None:  # what certainly stood there is the better guess
            self.text, self.exists = before[0], before[1]
        self.doubts = (*self.doubts[:7], why)

    def _set(self, text: str) -> None:
        self.text, self.exists, self.doubts = text, True, ()

    def _compare(self, known: str, place: str) -> None:
        if self.text is not None and not self.doubts and self.text != known:
            self.drifted = (*self.drifted[:7], place)


def _write(state: FileState, effect: Effect, place: str) -> None:
    if effect.creates and effect.base is None and state.text:
        state.doubts = (
            *state.doubts[:7],
            f"{place}: made anew by a tool that changes no whole file",
        )
        return
    if effect.base is not None:
        state._compare(effect.base, place)
    state._set(effect.text or "")


def _seen(state: FileState, effect: Effect, place: str) -> None:
    # A reader may drop the last line end: what is known from writing is better where both agree.
    text = effect.text or ""
    if state.text is not None and state.text.rstrip("\n") == text.rstrip("\n"):
        state.doubts = ()
        return
    state._compare(text, place)
    state._set(text)


def _append(state: FileState, effect: Effect, place: str) -> None:
    if state.text is None and state.exists is not False:
        state.text, state.exists = effect.text, True
        state.doubts = (f"{place}: only what was appended is known",)
    else:
        state.text, state.exists = (state.text or "") + (effect.text or ""), True


def _change(state: FileState, text: str | None, place: str) -> None:
    state.exists = True
    if text is not None:
        state.text = text
    elif state.text is not None:
        state.doubts = (*state.doubts[:7], f"{place}: a change does not fit the text known before")
    else:
        state.doubts = (f"{place}: changed, and its text before is not in the log",)


def _edit(state: FileState, effect: Effect, place: str) -> None:
    known = state.text
    _change(state, apply_edits(known, effect.edits) if known is not None else None, place)


def _patch(state: FileState, effect: Effect, place: str) -> None:
    known = state.text
    _change(state, apply_hunks(known, effect.hunks) if known is not None else None, place)


def _diff(state: FileState, effect: Effect, place: str) -> None:
    known = state.text
    fits = apply_unified(known, effect.diff or "") if known is not None else None
    _change(state, fits, place)


def _delete(state: FileState, effect: Effect, place: str) -> None:
    state.text, state.exists, state.doubts = None, False, ()


def _touch(state: FileState, effect: Effect, place: str) -> None:
    if state.exists is False:
        state.text, state.exists = "", True


def _opaque(state: FileState, effect: Effect, place: str) -> None:
    if state.text is None:
        state.exists = True
        state.doubts = (f"{place}: {effect.why}",)
    else:
        state.doubt(f"{place}: {effect.why}")


_APPLY = {
    "write": _write,
    "seen": _seen,
    "append": _append,
    "edit": _edit,
    "patch": _patch,
    "diff": _diff,
    "delete": _delete,
    "opaque": _opaque,
    "touch": _touch,
}
