"""What `run_rule` promises for honest and for merely wrong rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from benchwright.errors import SubmissionError
from benchwright.isolation.rule import Answer, Frame, RuleLimits, run_rule

Run = Callable[..., list[Answer]]
COLUMNS = ("col1", "col2", "col3", "col4")


def frames(count: int) -> list[Frame]:
    values = np.arange(count * 12, dtype=np.float32).reshape(count, 3, 4)
    return [Frame(f"s{i}.parquet", COLUMNS, values[i]) for i in range(count)]


@pytest.fixture
def run(agent_python: Path, tmp_path: Path) -> Run:
    def answers(text: str, count: int = 4, **limits: int) -> list[Answer]:
        file = tmp_path / "rule.py"
        file.write_text(text)
        return list(run_rule(file, frames(count), RuleLimits(**{"sample_s": 5, **limits})))

    return answers


def test_answers_come_in_the_order_of_the_frames(run: Run) -> None:
    rule = "def predict(df): return [str(int(df['col1'].iloc[0])), *df.columns, str(df.dtypes[0])]"
    got = run(rule.replace("dtypes[0]", "dtypes.iloc[0]"), 5)
    assert [a.name for a in got] == [f"s{i}.parquet" for i in range(5)]
    assert [a.labels for a in got] == [(str(i * 12), *COLUMNS, "float32") for i in range(5)]


def asked_order(answers: list[Answer]) -> list[str]:
    return [a.name for a in sorted(answers, key=lambda a: int((a.labels or ("0",))[0]))]


def test_samples_are_asked_in_an_order_that_the_rule_alone_decides(run: Run) -> None:
    clock = "import time\ndef predict(df): return [str(time.monotonic_ns())]\n"
    first, again, other = (asked_order(run(text, 8)) for text in (clock, clock, f"{clock}# x\n"))
    assert first == again != other
    assert sorted(first) == sorted(other) == [f"s{i}.parquet" for i in range(8)] != first


def test_a_double_precision_frame_stays_one(agent_python: Path, tmp_path: Path) -> None:
    file = tmp_path / "rule.py"
    file.write_text("def predict(df): return [str(df.dtypes.iloc[0]), repr(float(df.iat[1, 0]))]")
    frame = Frame("a", ("x",), np.array([[0.5], [0.1]]))
    assert next(run_rule(file, [frame], RuleLimits())).labels == ("float64", "0.1")


def test_a_text_a_list_and_a_final_answer_are_accepted(run: Run) -> None:
    rule = """
KINDS = ["one", ["one", "two"], {"final_answer": "one"}, {"final_answer": ["a"], "change_time": 1}]
def predict(df): return KINDS[int(df.iat[0, 0]) // 12]
"""
    assert [a.labels for a in run(rule)] == [("one",), ("one", "two"), ("one",), ("a",)]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("('a',)", "returned tuple"),
        ("None", "returned NoneType"),
        ("__import__('numpy').array(['a'])", "returned ndarray"),
        ("''", "empty"),
        ("[]", "empty"),
        ("['a', 1]", "no labels"),
        ("{'answer': 'a'}", "without final_answer"),
        ("{'final_answer': None}", "returned NoneType"),
        ("b'a'", "returned bytes"),
        ("'a' * 70000", "longer than 65536 bytes"),
    ],
)
def test_any_other_answer_is_a_value_error_of_that_sample(run: Run, value: str, said: str) -> None:
    bad, good = run(f"def predict(df): return {value} if df.iat[0, 0] == 0 else 'fine'", 2)
    assert bad.labels is None and bad.error is not None
    assert bad.error.startswith("ValueError: ") and said in bad.error
    assert good == Answer("s1.parquet", ("fine",), None)


def test_an_exception_costs_its_sample_and_is_named_shortly(run: Run) -> None:
    got = run(
        "def predict(df):\n    if df.iat[0, 0] == 12: raise KeyError('x' * 999)\n    return 'a'"
    )
    assert [a.labels for a in got] == [("a",), None, ("a",), ("a",)]
    assert got[1].error is not None and got[1].error.startswith("KeyError: 'xxx")
    assert len(got[1].error) == 300


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def predict(df:", "SyntaxError"),
        ("import benchwright\ndef predict(df): return 'a'", "ModuleNotFoundError: No module named"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("x = 1", "AttributeError: rule.py defines no function predict"),
        ("open('/app/test_samples/a.parquet')", "FileNotFoundError"),
        ("\0", "SyntaxError"),
    ],
)
def test_an_import_that_fails_is_the_reason_of_every_sample(run: Run, text: str, said: str) -> None:
    got = run(text, 3)
    assert {a.labels for a in got} == {None}
    assert all(a.error is not None and said in a.error for a in got)


def test_the_packages_of_the_agent_are_those_of_the_rule(run: Run) -> None:
    rule = """
import matplotlib, numba, pyarrow, ruptures, scipy.signal, sklearn, tslearn
def predict(df): return [tslearn.__version__, sklearn.__version__, numba.__version__]
"""
    assert run(rule, 1)[0].labels == ("0.7.0", "1.8.0", "0.63.1")


def test_no_frames_give_no_answers(run: Run) -> None:
    assert run("def predict(df): return 'a'", 0) == []


def test_the_budget_of_all_samples_ends_the_rest(run: Run) -> None:
    got = run("import time\ndef predict(df): time.sleep(2); return 'a'", 5, total_s=6)
    late = [a for a in got if a.labels is None]
    assert late and len(late) < 5
    assert any("all samples took more than 6 s" in (a.error or "") for a in late)


def test_named_libraries_are_loaded_before_the_samples(run: Run) -> None:
    rule = """
import time
BEGUN = time.perf_counter()
import scipy.signal
from sklearn import ensemble
TOOK = time.perf_counter() - BEGUN
def predict(df): return [str(TOOK < 0.1)]
"""
    assert {a.labels for a in run(rule)} == {("True",)}


def test_compiled_functions_that_ask_for_a_cache_work_without_one(run: Run) -> None:
    rule = """
from numba import njit
@njit(cache=True)
def double(x): return 2 * x
def predict(df): return [str(double(3))]
"""
    assert run(rule, 1, sample_s=60, cpu_s=60)[0].labels == ("6",)


def test_a_label_with_half_a_character_costs_its_sample(run: Run) -> None:
    got = run("def predict(df): return ['\\ud800' if df.iat[0, 0] == 0 else 'fine']", 2)
    assert got[0].error == "ValueError: predict returned a label that is no valid text"
    assert got[1].labels == ("fine",)


@pytest.mark.parametrize("kind", ["missing", "folder", "link"])
def test_what_is_no_regular_file_is_refused(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "rule.py"
    if kind == "folder":
        file.mkdir()
    if kind == "link":
        file.symlink_to("/etc/passwd")
    with pytest.raises(SubmissionError, match="not a regular file"):
        list(run_rule(file, frames(1), RuleLimits()))
