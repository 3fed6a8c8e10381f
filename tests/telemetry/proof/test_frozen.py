"""What is asked is settled before anything is scored: no way back, the same when read again."""

from __future__ import annotations

import ast

from benchwright.suites.telemetry.episode import conversation
from benchwright.suites.telemetry.families.model import VARIANTS
from benchwright.suites.telemetry.obligations.extract import extracted
from tests.telemetry.sets import Built
from tools.source import PACKAGE, imports, module_name, python_files

SUITE = "benchwright.suites.telemetry"


def reached(name: str) -> set[str]:
    """Modules of the package that importing one of them imports, however deep."""
    edges = {
        module_name(path): {i.imported for i in imports(path)} for path in python_files(PACKAGE)
    }
    found, new = set(), {name}
    while new:
        found |= new
        named = {n for one in new for n in edges.get(one, ())}
        new = {m for n in named for m in (n, n.rpartition(".")[0]) if m in edges} - found
    return found


def test_extraction_cannot_import_the_evaluator() -> None:
    own = [module_name(p) for p in python_files(PACKAGE / "suites" / "telemetry" / "obligations")]
    assert own
    for name in own:
        reaches = reached(name)
        assert f"{SUITE}.obligations.model" in reached(f"{SUITE}.obligations.extract")
        assert not [m for m in reaches if m.startswith(f"{SUITE}.evaluation")], name


def test_evaluation_would_be_seen() -> None:
    assert f"{SUITE}.evaluation.judged" in reached(f"{SUITE}.evaluation.evaluate")


def test_duties_are_the_same_after_a_round_trip(demo_set: Built) -> None:
    contract, zone = demo_set.store.contract, demo_set.store.zone
    for task in demo_set.tasks.tasks:
        script, duties, stored = conversation(demo_set.held.gold(task.id))
        again = extracted(script, contract, zone)
        assert again.digest == duties.digest == stored["duties"]["digest"]


def test_the_evaluator_names_no_family() -> None:
    """What is judged follows from duties alone."""
    names = set(VARIANTS) - {"window_mean"}  # which is an operation as well
    for path in python_files(PACKAGE / "suites" / "telemetry" / "evaluation"):
        texts = [
            n.value for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Constant)
        ]
        assert not names & {str(t) for t in texts}, path
