"""Nothing under `src/` unpickles files, by whatever library; the child imports the standard one."""

from __future__ import annotations

import ast
import sys

from tools.source import PACKAGE, below, parse, python_files

BTS = PACKAGE / "suites/telemetry/bts"
LOADERS = {"Unpickler", "read_pickle", "find_class", "_Unpickler"}
MODULES = {"pickle", "_pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}
OWN = {"src/benchwright/trajectory/spool.py"}
"""Reads what the same process wrote into a temporary file that has no name."""


def loads(tree: ast.Module) -> list[int]:
    """Lines that unpickle, or let numpy do it."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            of_pickle = ast.unparse(node.value) in MODULES and node.attr in ("load", "loads")
            if of_pickle or node.attr in LOADERS:
                found.append(node.lineno)
        if isinstance(node, ast.ImportFrom) and (node.module or "") in MODULES:
            found += [node.lineno for alias in node.names if "load" in alias.name.lower()]
        if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            found += [node.value.lineno] if ast.unparse(node.value) != "False" else []
    return sorted(found)


def test_nothing_of_the_package_unpickles() -> None:
    found = {below(path): lines for path in python_files(PACKAGE) if (lines := loads(parse(path)))}
    assert found.keys() == OWN


def test_a_line_that_unpickles_would_be_seen() -> None:
    lines = [
        "pickle.load(f)", "pickle.loads(b)", "from pickle import loads", "pd.read_pickle(p)",
        "np.load(p, allow_pickle=True)", "class A(pickle.Unpickler): pass",
    ]  # fmt: skip
    assert loads(ast.parse("\n".join(lines))) == [1, 2, 3, 4, 5, 6]
    assert loads(ast.parse("pickle.dumps(x)\nnp.load(p, allow_pickle=False)")) == []


def test_the_child_imports_nothing_that_executes_or_is_not_of_python() -> None:
    names = {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name) or ""
        for path in python_files(BTS / "inside")
        for node in ast.walk(parse(path))
        if (isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and not node.level))
    }
    assert names <= sys.stdlib_module_names | {"collections.abc"}
    assert not names & {*MODULES, "importlib", "subprocess", "ctypes", "builtins", "runpy"}
