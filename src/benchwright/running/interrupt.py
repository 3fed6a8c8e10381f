"""Ctrl-C and its like while episodes run: the first asks for an end, the second is one.

Inspect reports a cancelled evaluation as one without results, so nobody may conclude from its
answer whether a person stopped the run: the signal itself is noted here. What was running stays
owed; every box is ended at once, so that nothing waits for a command of an agent.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

from benchwright.isolation import living

_ENDING = (signal.SIGTERM, signal.SIGHUP)
_PATIENCE_S = 5.0
_AT_ONCE = b"\nbenchwright: ended at once; the same line again continues.\n"


def _silent() -> None:
    """Default listener: nothing to tell."""


class Interruption:
    """Open around a run, in the main thread; elsewhere signals are left to whoever has them."""

    def __init__(self, told: Callable[[], None] = _silent) -> None:
        self._told = told
        self._kept: dict[int, Any] = {}
        self._ending: threading.Thread | None = None
        self._loop: Callable[[int, FrameType | None], None] | None = None
        self.number: int | None = None
        """The first signal that asked for the end."""

    def __enter__(self) -> Interruption:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, *_ENDING):
                self._kept[number] = signal.getsignal(number)
            for number in _ENDING:
                self._take(number)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._kept.items():
            signal.signal(number, handler)
        if self._ending is not None:
            self._ending.join()
        living.allow()

    @property
    def happened(self) -> bool:
        """Whether a person, or the system, asked for the end."""
        return self.number is not None

    @contextmanager
    def evaluation(self) -> Iterator[None]:
        """Around one event loop, which takes SIGINT by itself only where Python's default stands.

        Raises KeyboardInterrupt with the signal's number when one was noted meanwhile.
        """
        if self._kept:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            yield
        except BaseException:
            self._raise_if_happened()
            raise
        finally:
            self._loop = None
            if self._kept:
                signal.signal(signal.SIGINT, signal.default_int_handler)
        self._raise_if_happened()

    def adopt(self) -> None:
        """Called inside the loop: note each signal before the loop's own handler cancels it."""
        if not self._kept:
            return
        handler = signal.getsignal(signal.SIGINT)
        self._loop = handler if callable(handler) else None
        if self._kept[signal.SIGINT] is signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        else:
            self._take(signal.SIGINT)

    def _take(self, number: int) -> None:
        """Handle a signal, unless it was ignored from the start, as under nohup."""
        if self._kept[number] is not signal.SIG_IGN:
            signal.signal(number, self._on)

    def _on(self, number: int, frame: FrameType | None) -> None:
        if self.happened:
            _end_at_once(number)
        self.number = number
        self._told()
        self._ending = _end_boxes()
        if self._loop is None:
            raise KeyboardInterrupt(number)
        self._loop(signal.SIGINT, frame)

    def _raise_if_happened(self) -> None:
        if self.number is not None:
            raise KeyboardInterrupt(self.number)


@contextmanager
def telling_interrupts() -> Iterator[Callable[[], bool]]:
    """Gives a function that says whether a KeyboardInterrupt caught inside is a person's.

    Anybody's code may raise one. Where another handler than Python's stands, all count as a
    person's; where the signal is ignored, none.
    """
    main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT)
    if not main or handler is not signal.default_int_handler:
        yield lambda: handler is not signal.SIG_IGN
        return
    pressed: list[int] = []

    def note(number: int, frame: FrameType | None) -> NoReturn:
        pressed.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end_boxes() -> threading.Thread:
    """In a thread: a handler must not wait for a lock that its own thread may hold."""
    thread = threading.Thread(target=living.end_everything, name="end-boxes", daemon=True)
    thread.start()
    return thread


def _end_at_once(number: int) -> NoReturn:
    _end_boxes().join(_PATIENCE_S)
    os.write(2, _AT_ONCE)
    os._exit(128 + number)
