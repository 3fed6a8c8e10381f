"""Each value of each of our files, replaced by one of each other kind: an answer or one line.

The digests are made right again after every change, so that it reaches the readers behind them. A
command answers 0 or 1, or says in one line with code 2 what is wrong; an exception fails the test.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from tests.robust.conftest import Damaged, call
from tests.robust.mutation import Mutation, mutations, places
from tests.robust.sealing import toml

Verb = Callable[[Damaged], tuple[object, ...]]


def structure(d: Damaged) -> tuple[object, ...]:
    return "check", d.tasks, "--only", "structure", "--sandbox", "none"


def rebuild(d: Damaged) -> tuple[object, ...]:
    return "check", d.tasks, "--only", "structure,rebuild", "--sandbox", "none"


def show(d: Damaged) -> tuple[object, ...]:
    return "show", d.run, "--json"


def table(d: Damaged) -> tuple[object, ...]:
    return "show", d.run


def direct(d: Damaged) -> tuple[object, ...]:
    return "show", d.run, d.episode("oracle", "direct").name


def verify(d: Damaged) -> tuple[object, ...]:
    return "score", d.run, "--verify"


def score(d: Damaged) -> tuple[object, ...]:
    return "score", d.run


def report(d: Damaged) -> tuple[object, ...]:
    return "report", d.run, "--out", d.run.parent / "page"


Place = Callable[[Damaged], Path]
FILES: dict[str, tuple[Place, tuple[Verb, ...], tuple[Verb, ...]]] = {
    "taskset.toml": (lambda d: d.tasks / "taskset.toml", (structure, show), (verify, report)),
    "task.toml": (
        lambda d: d.tasks / "tasks" / d.task("direct") / "task.toml",
        (structure, table),
        (verify, direct, report),
    ),
    "task.toml of a rule": (
        lambda d: d.tasks / "tasks" / d.task("programmatic") / "task.toml",
        (show,),
        (structure, verify, report),
    ),
    "gold.json": (
        lambda d: d.tasks / "held" / d.task("direct") / "gold.json", (verify,), (report,)
    ),
    "gold.json of a rule": (
        lambda d: d.tasks / "held" / d.task("programmatic") / "gold.json", (verify,), (report,)
    ),
    "build.toml": (lambda d: d.tasks / "held" / "shared" / "build.toml", (), (rebuild,)),
    "digests.toml": (
        lambda d: d.tasks / "held" / "shared" / "digests.toml", (structure,), (verify, report)
    ),
    "spec.json": (lambda d: d.tasks / "held" / "shared" / "spec.json", (), (rebuild,)),
    "run.toml": (lambda d: d.run / "run.toml", (show,), (score, verify, report)),
    "plan.jsonl": (lambda d: d.run / "plan.jsonl", (show,), (score, verify, report)),
    "episode.json": (
        lambda d: d.episode("oracle", "direct") / "episode.json",
        (show, direct),
        (score, verify, report),
    ),
    "trajectory.json": (
        lambda d: d.episode("oracle", "direct") / "trajectory.json", (direct,), (verify, report)
    ),
    "answers.json": (
        lambda d: d.episode("oracle", "programmatic") / "answers.json", (verify,), (report,)
    ),
    "score sheet": (
        lambda d: d.episode("oracle", "direct") / "scores" / "tracebench-1.json",
        (table, direct),
        (score, verify, report),
    ),
    "score sheet of a rule": (
        lambda d: d.episode("oracle", "programmatic") / "scores" / "tracebench-1.json",
        (show,),
        (score, verify, report),
    ),
}  # fmt: skip


def read(path: Path) -> Any:
    if path.suffix == ".toml":
        return toml(path)
    text = path.read_text(encoding="utf-8")
    return (
        [json.loads(line) for line in text.splitlines()]
        if path.suffix == ".jsonl"
        else json.loads(text)
    )


def write(path: Path, value: Any) -> None:
    if path.suffix == ".toml":
        path.write_text(tomli_w.dumps(value), encoding="utf-8")
    elif path.suffix == ".jsonl":
        lines = value if isinstance(value, list) else [value]
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    else:
        path.write_text(json.dumps(value), encoding="utf-8")


def in_turn(content: Any, turns: int, most: int | None = None) -> Iterator[Mutation]:
    """Of every place, or of `most` places all over the file, `turns` values; each place others."""
    every = list(places(content))
    step = 1 if most is None else -(-len(every) // most)
    first = 0
    for path in every[::step]:
        found = list(mutations(content, path))
        yield from (found[(first + turn) % len(found)] for turn in range(turns))
        first += turns


def answers(damaged: Damaged, name: str, verbs: tuple[Verb, ...], mutation: Mutation) -> None:
    """Put the change in place and ask every verb until one refuses."""
    path = FILES[name][0](damaged)
    lines = [verb(damaged) for verb in verbs]
    try:
        write(path, mutation.changed)
    except TypeError:
        return  # TOML has no null
    damaged.seal()
    try:
        for line in lines:
            said = call(*line)
            assert said.code in (0, 1, 2), f"{mutation}: {line} gives {said.code}"
            if said.code == 2:
                assert said.err.startswith("benchwright: ") and said.err.count("\n") == 1, said.err
                return
    finally:
        damaged.restore()


def test_digests_made_again_are_those_that_were_there(damaged: Damaged) -> None:
    """Otherwise every change below would end at a digest, or at a verb that always refuses."""
    damaged.seal()
    assert all(path.read_bytes() == data for path, data in damaged.good.items())
    verbs = {verb for _, quick, thorough in FILES.values() for verb in (*quick, *thorough)}
    assert [verb for verb in verbs if call(*verb(damaged)).code != 0] == []


@pytest.mark.parametrize("name", [name for name, (_, quick, _) in FILES.items() if quick])
def test_a_value_of_another_kind_gives_an_answer_or_one_line(damaged: Damaged, name: str) -> None:
    path, verbs, _ = FILES[name]
    for number, mutation in enumerate(in_turn(read(path(damaged)), 1, most=8)):
        answers(damaged, name, (verbs[number % len(verbs)],), mutation)


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_every_verb_answers_whatever_stands_in_a_file(damaged: Damaged, name: str) -> None:
    path, quick, thorough = FILES[name]
    for number, mutation in enumerate(in_turn(read(path(damaged)), 3)):
        verbs = tuple(v for v in (*quick, *thorough) if v is not report or number % 4 == 0)
        answers(damaged, name, verbs, mutation)
