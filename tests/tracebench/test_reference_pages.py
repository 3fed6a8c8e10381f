"""The pages on specs, recipes, policies and pools list what there is, and nothing else."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pydantic import BaseModel

from benchwright.executors import SerialExecutor
from benchwright.suites.tracebench.listed import recipe_id
from benchwright.suites.tracebench.pools import policy as policies
from benchwright.suites.tracebench.pools.build import build_pool
from benchwright.suites.tracebench.pools.policy import load_policy, shipped_policies
from benchwright.suites.tracebench.pools.table import parts
from benchwright.suites.tracebench.shipped import shipped
from benchwright.suites.tracebench.solvability.reasons import VETOES, Reason
from benchwright.suites.tracebench.spec import load_spec, parse_spec, shipped_specs
from benchwright.suites.tracebench.systems import SYSTEMS, System, Variable

FAMILIES = 512
POINTS = 7.0
"""Three standard errors of the greatest share in FAMILIES draws, in per cent."""


@pytest.fixture
def page(root: Path, request: pytest.FixtureRequest) -> str:
    return (root / "docs" / request.param).read_text()


def on(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("page", [name], indirect=True)


def first_cells(text: str) -> list[str]:
    """Every name in backticks in the first cell of a table's row."""
    rows = (line.split("|")[1] for line in text.splitlines() if line.startswith("|"))
    return [name for cell in rows for name in re.findall(r"`([^`]+)`", cell)]


@on("specs.md")
def test_every_key_of_a_spec_has_a_row(page: str) -> None:
    audited = parse_spec({"suite": "tracebench", "audit": True}, "spec")
    wholes = [audited.whole(), *(load_spec(name).whole() for name in shipped_specs())]
    keys = {key for whole in wholes for key in whole} | {"format"}
    listed = [name for name in first_cells(page) if "/" not in name]
    assert sorted(listed) == sorted(keys)


@on("specs.md")
def test_every_shipped_spec_has_a_row_with_its_number_of_tasks(page: str) -> None:
    told = dict(re.findall(r"^\| `tracebench/(\w+)` \| (\d+) \|", page, re.M))
    specs = {name: load_spec(name) for name in shipped_specs()}
    counts = {n: len(s.systems) * len(s.seeds) * len(s.cells) for n, s in specs.items()}
    assert {name: int(count) for name, count in told.items()} == counts


@on("policies.md")
def test_every_key_of_a_policy_is_named(page: str) -> None:
    models = [m for m in vars(policies).values() if isinstance(m, type) and m is not BaseModel]
    keys = {key for m in models if issubclass(m, BaseModel) for key in m.model_fields}
    assert len(keys) > 30
    prose = re.sub(r"^```.*?^```", "", page, flags=re.M | re.S)
    named = {word for text in re.findall(r"`([^`]+)`", prose) for word in re.findall(r"\w+", text)}
    assert keys - named == set()


@on("policies.md")
@pytest.mark.parametrize("policy", shipped_policies())
def test_the_shares_of_shipped_policies_are_as_told(page: str, policy: str, tmp_path: Path) -> None:
    chosen = load_policy(policy).model_copy(update={"families": FAMILIES})
    pool = build_pool(chosen, tmp_path / "pool", SerialExecutor())
    causes: dict[int, set[str]] = defaultdict(set)
    for part in parts(pool.path):
        for row in pq.read_table(part).to_pylist():
            if row["kept"] and row["kind"] == "intervention":
                causes[row["family"]].add(row["parameter"])
    complete = sum(len(found) == len(chosen.parameters) for found in causes.values())
    shares = [100.0 * count / FAMILIES for count in (len(causes), complete)]
    assert shares == pytest.approx(told(page, chosen.system, chosen.name), abs=POINTS)


def told(page: str, system: str, kind: str) -> list[float]:
    """Kept and complete as the table has them, in per cent."""
    (row,) = re.findall(rf"^\| {system} \|(.+)\|$", page, re.M)
    cells = [float(number) for number in re.findall(r"([\d.]+) %", row)]
    return cells[("documented", "paper-like").index(kind) :: 2]


@on("pools.md")
def test_every_reason_has_a_row_and_those_that_can_be_off_their_mark(page: str) -> None:
    rows = re.findall(r"^\| `(\w+)`( †)? \|", page, re.M)
    assert sorted(name for name, _ in rows) == sorted(reason.text for reason in list(Reason)[1:])
    vetoes = {veto.text for vetoes in VETOES.values() for veto in vetoes}
    assert {name for name, mark in rows if mark} == vetoes


def rows_of(system: System) -> Iterator[str]:
    for v in system.variables:
        allowed, documented = (f"{a:g} to {b:g}" for a, b in (v.interval, v.documented))
        near = "" if documented == allowed else documented
        yield f"| `{v.name}` | {v.words} | {v.unit} | {allowed} | {near} | {_least(v)} |"


def _least(variable: Variable) -> str:
    if not variable.steppable:
        return "never steps | "
    return f"{variable.min_abs:g} | {variable.min_srd or ''}"


@on("recipes.md")
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_parameters_are_listed_with_their_intervals_and_least_changes(
    page: str, system: str
) -> None:
    table = page.split(f"### {system}\n")[1].split("\n#")[0]
    assert [line for line in table.splitlines() if line.startswith("| `")] == [
        *rows_of(SYSTEMS[system])
    ]


@on("recipes.md")
def test_recipes_that_are_named_exist_and_are_as_many_as_told(page: str) -> None:
    lists = {name: shipped(name) for name in SYSTEMS}
    ids = {recipe_id(recipe) for recipes in lists.values() for recipe in recipes}
    named = set(re.findall(r"\"((?:balldrop|bounceball|massslide)-[0-9a-f]{12})\"", page))
    assert named and named <= ids
    for name, recipes in lists.items():
        around = len({recipe.configuration for recipe in recipes})
        assert re.search(rf"{len(recipes)} of {name} around {around}\b", page)
