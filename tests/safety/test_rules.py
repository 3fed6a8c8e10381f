"""Submitted rules that attack: each costs its own sample, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchwright.isolation.rule import Answer
from tests.safety.host import Host, attempts_in, source_of
from tests.safety.rules import attacks_in, hostile_rule, is_plain, nothing_lives, run

VALUES = attacks_in("rule_values")
ENDS = attacks_in("rule_ends")
MURDERS = attacks_in("rule_murders")
HARMLESS = {
    "answers_from_a_child_too", "leaves_children", "hangs_after_its_answer", "a_set",
    "text_that_does_things", "a_label_with_lines_of_its_own", "a_label_with_a_zero_byte",
    "raises_its_limits", "an_array", "half_a_character", "fills_every_folder",
    "a_generator_without_end",
    "ten_million_labels", "a_list_without_end",
}  # fmt: skip
"""Attacks whose sample may have an answer of its own; what matters is that others keep theirs."""

Results = dict[str, tuple[Answer, Answer, Answer]]


@contextmanager
def results_of(module: str, names: list[str], folder: Path) -> Iterator[Results]:
    """Answer of every attack, with those of the harmless samples on both sides."""
    order = [""]
    for name in names:
        order += [name, ""]
    answers = run(hostile_rule(module, order), len(order), folder)
    assert nothing_lives(answers)
    yield {name: tuple(answers[2 * i : 2 * i + 3]) for i, name in enumerate(names)}  # type: ignore[misc]


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Results]:
    with results_of("rule_values", VALUES, tmp_path_factory.mktemp("values")) as results:
        yield results


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Results]:
    with results_of("rule_ends", ENDS, tmp_path_factory.mktemp("ends")) as results:
        yield results


@pytest.mark.parametrize("name", VALUES)
def test_a_value_that_is_no_label_costs_its_sample_only(values: Results, name: str) -> None:
    costs_itself_only(values, VALUES, name)


@pytest.mark.parametrize("name", ENDS)
def test_an_end_that_is_no_answer_costs_its_sample_only(ends: Results, name: str) -> None:
    costs_itself_only(ends, ENDS, name)


@pytest.mark.parametrize("name", MURDERS)
def test_an_attack_on_the_runner_forges_no_answer_of_another(tmp_path: Path, name: str) -> None:
    """The rule may lose everything by it; it may not gain, and the host goes on."""
    answers = run(hostile_rule("rule_murders", ["", name, "", ""]), 4, tmp_path)
    assert nothing_lives(answers)
    for number in (0, 2, 3):
        assert answers[number].error or is_plain(answers[number], number)
    after = run(hostile_rule("rule_murders", ["", ""]), 2, tmp_path)
    assert all(is_plain(answer, number) for number, answer in enumerate(after))


def costs_itself_only(results: Results, names: list[str], name: str) -> None:
    before, attack, after = results[name]
    number = 2 * names.index(name)
    assert is_plain(before, number), before
    assert is_plain(after, number + 2), after
    assert attack.error or name in HARMLESS, attack
    assert "forged" not in (attack.labels or ()), attack
    for text in attack.labels or (attack.error or "",):
        text.encode()  # half a character would stop whoever writes the answers down


def test_a_rule_gets_no_further_than_an_agent(host: Host, tmp_path: Path) -> None:
    """Every attempt of the other tests, made by one sample each."""
    for module in ("files", "network", "privileges"):
        names = attempts_in(module)
        text = source_of(module).replace('if __name__ == "__main__":\n    main(globals())\n', "")
        hidden = json.dumps(host.target()).encode().hex()
        text += f"\nNAMES = {names!r}\nTARGET = json.loads(bytes.fromhex('{hidden}'))\n" + PREDICT
        for name, answer in zip(names, run(text, len(names), tmp_path), strict=True):
            if answer.labels is None:
                continue
            outcome = json.loads(answer.labels[0])
            assert "broken" not in outcome, (name, outcome)
            assert not outcome.get("got") or name in SEEN_BEFORE, (name, outcome)
    assert host.reached() == []
    assert host.traces() == []
    assert host.marker in host.secret.read_text()


PREDICT = """
def predict(df):
    name = NAMES[int(df["col1"].iloc[0])]
    return [json.dumps(outcome(globals()[name], TARGET))]
"""
SEEN_BEFORE = {"connects_through_the_hypervisor"}
"""Found open from the box of an agent already; one test is enough to show it."""
