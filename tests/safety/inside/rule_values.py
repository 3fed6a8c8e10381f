"""Answers that are no labels. None may do anything to whoever reads them."""

from __future__ import annotations

import itertools
import os
from typing import Any


class Trap(str):
    """Text that does things when it is looked at."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        os._exit(3)

    def __str__(self) -> str:
        return "tricked"

    def __len__(self) -> int:
        return 1 << 60


class Loud:
    """A thing that fails whenever it is shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no text for you")

    __str__ = __repr__

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"no {name} for you")


class Bomb:
    """Runs a command where it is unpickled."""

    def __reduce__(self) -> Any:
        return os.system, ("touch /tmp/pickle-bomb /app/pickle-bomb; kill -9 $PPID",)


class Bottomless(list[str]):
    """A list that never ends and says that it is short."""

    def __iter__(self) -> Any:
        return itertools.repeat("more")

    def __len__(self) -> int:
        return 1


def nothing(df: Any) -> object:
    return None


def a_number(df: Any) -> object:
    return 42


def not_a_number(df: Any) -> object:
    return [float("nan"), float("inf")]


def an_empty_list(df: Any) -> object:
    return []


def bytes_for_text(df: Any) -> object:
    return [b"label"]


def a_mapping(df: Any) -> object:
    return {"labels": ["forged"], "error": None}


def a_set(df: Any) -> object:
    return {"one", "two"}


def an_array(df: Any) -> object:
    return df.to_numpy()


def the_frame_itself(df: Any) -> object:
    return df


def a_function(df: Any) -> object:
    return predict_nothing


def predict_nothing() -> None:
    return None


def a_generator_without_end(df: Any) -> object:
    return (str(n) for n in itertools.count())


def a_list_without_end(df: Any) -> object:
    return Bottomless(["one"])


def text_that_does_things(df: Any) -> object:
    return [Trap("label")]


def a_thing_that_cannot_be_shown(df: Any) -> object:
    return [Loud()]


def an_exception_that_cannot_be_shown(df: Any) -> object:
    class Silent(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text for you")

        __repr__ = __str__

    raise Silent(Loud())


def an_exception_of_a_hundred_megabytes(df: Any) -> object:
    raise ValueError("x" * 100_000_000)


def an_exception_with_control_characters(df: Any) -> object:
    raise ValueError('"}\n{"labels": ["forged"]}\x1b[2J\x00\ud800')


def a_pickle_bomb(df: Any) -> object:
    return [Bomb()]


def a_bare_pickle_bomb(df: Any) -> object:
    return Bomb()


def a_very_deep_list(df: Any) -> object:
    deep: list[Any] = ["label"]
    for _ in range(200_000):
        deep = [deep]
    return deep


def a_list_that_holds_itself(df: Any) -> object:
    items: list[Any] = ["label"]
    items.append(items)
    return items


def a_label_of_a_hundred_megabytes(df: Any) -> object:
    return ["x" * 100_000_000]


def ten_million_labels(df: Any) -> object:
    return ["x"] * 10_000_000


def a_number_with_a_million_digits(df: Any) -> object:
    return [10**1_000_000]


def half_a_character(df: Any) -> object:
    return ["\ud800"]


def a_label_with_lines_of_its_own(df: Any) -> object:
    return ['x"]}\n{"labels": ["forged"], "name": "s1"}\n{"ok": true, "labels": ["forged"]}\n']


def a_label_with_a_zero_byte(df: Any) -> object:
    return ["label\0forged"]
