"""Which files Python code can write, by its syntax tree: none, those of some names, or any.

Takes code; gives names, `*` for parts that the code computes, or None: any file. It errs on the
side of None: a module that is not known, a writer under another name, a name that is computed to
its end. Runs nothing. A module of the agent's own with the name of a known one: `own_module`.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from importlib import resources

_MODULES = ("os", "shutil", "io", "subprocess")
_PIECES = re.compile(r"%[-\d.]*[a-z]|\{[^{}]*\}")


def own_module(path: str) -> str | None:
    """The module that a file holds, where it takes the place of one that is known here."""
    folder, _, name = path.rpartition("/")
    if not name.endswith(".py"):
        return None
    module = folder.rpartition("/")[2] if name == "__init__.py" else name.removesuffix(".py")
    return module if module in _lists()["modules"] else None


def imports(code: str, modules: Collection[str]) -> bool:
    """Whether code names one of these modules."""
    return any(re.search(rf"\b{re.escape(module)}\b", code) for module in modules)


@lru_cache(maxsize=64)
def python_reach(code: str) -> tuple[str, ...] | None:
    """Names that the code can write, as patterns; None where it can write any file."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    try:
        return tuple(_Reach(tree).names())
    except (_AnyError, RecursionError):
        return None


class _AnyError(Exception):
    """The code can write any file."""


class _Reach:
    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._texts: dict[str, ast.expr | None] = {}
        """Names bound once, to what; None where bound again."""
        self._aliases: dict[str, str] = {}
        """Imported names, as written here, to their own."""
        self._from: dict[str, str] = {}
        """Imported names, to the module they are of."""
        self._bound: set[str] = set()
        self._bases: set[int] = set()
        """Names that something is looked up in, as `os` in `os.remove`."""
        self._called: set[int] = set()
        """Functions of calls, which are judged with their arguments."""
        for node in ast.walk(tree):
            self._bind(node)

    def _bind(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            self._texts[node.id] = None
        elif isinstance(node, ast.arg):
            self._texts[node.arg] = None
            self._bound.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._bound.add(node.name)
        elif isinstance(node, ast.Call):
            self._called.add(id(node.func))
        elif isinstance(node, ast.Attribute):
            self._bases.add(id(node.value))

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        roots = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        roots = roots or [alias.name for alias in node.names]
        lists = _lists()
        local = isinstance(node, ast.ImportFrom) and node.level
        if local or any(root.partition(".")[0] not in lists["modules"] for root in roots):
            raise _AnyError
        for alias in node.names:
            if alias.name == "*":
                raise _AnyError
            self._aliases[alias.asname or alias.name] = alias.name
            if isinstance(node, ast.ImportFrom):
                self._from[alias.asname or alias.name] = node.module or ""

    def names(self) -> Iterator[str]:
        """Every name that is written, or deleted."""
        self._assignments()
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call):
                yield from self._call(node)
            elif isinstance(node, ast.Name | ast.Attribute) and id(node) not in self._called:
                name = node.id if isinstance(node, ast.Name) else node.attr
                own = self._aliases.get(name, name) if isinstance(node, ast.Name) else name
                loaded = isinstance(node.ctx, ast.Load)
                handed_on = self._hands_on(node, own)
                if loaded and (own in _lists()["never_passed"] or handed_on):
                    raise _AnyError

    def _hands_on(self, node: ast.Name | ast.Attribute, name: str) -> bool:
        """Whether a module that writes, or a function of it, gets another name here."""
        if isinstance(node, ast.Attribute):
            base = node.value
            root = self._aliases.get(base.id, base.id) if isinstance(base, ast.Name) else ""
            return name in _MODULES or (root in _MODULES and name in _lists()["acts"])
        own = name in _MODULES and id(node) not in self._bases
        return own or (self._from.get(node.id) in _MODULES and name in _lists()["acts"])

    def _assignments(self) -> None:
        counts: dict[str, int] = {}
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                counts[node.id] = counts.get(node.id, 0) + 1
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                target = node.targets[0]
                if isinstance(target, ast.Name) and counts[target.id] == 1:
                    self._texts[target.id] = None if target.id in self._bound else node.value

    def _call(self, node: ast.Call) -> Iterator[str]:
        name, root = self._function(node.func)
        lists = _lists()
        if name is None:
            raise _AnyError
        bare = isinstance(node.func, ast.Name) and name in lists["any_bare"]
        if bare or name in lists["any"] or (root in _MODULES and name in lists["runs"]):
            raise _AnyError
        if isinstance(node.func, ast.Name) and not self._is_known(node.func.id):
            raise _AnyError
        if name == "open":
            yield from self._open(node, root)
        elif self._writes(name, root, node):
            yield from self._named(node, name)

    def _is_known(self, name: str) -> bool:
        known = name in self._aliases or name in self._bound or name in _lists()["builtins"]
        value = self._texts.get(name)
        return known or isinstance(value, ast.Lambda)

    def _function(self, func: ast.expr) -> tuple[str | None, str]:
        """Its own name, and the module or name that it is looked up in."""
        if isinstance(func, ast.Name):
            return self._aliases.get(func.id, func.id), self._from.get(func.id, "")
        if isinstance(func, ast.Attribute):
            value = func.value
            root = value.id if isinstance(value, ast.Name) else ""
            return func.attr, self._aliases.get(root, root)
        return None, ""

    def _open(self, node: ast.Call, root: str) -> Iterator[str]:
        opens = isinstance(node.func, ast.Attribute) and not self._is_module(node.func.value)
        modes = [*node.args[1:], *(k.value for k in node.keywords if k.arg in ("mode", None))]
        if opens and node.args:  # `path.open(mode)`
            modes = [*node.args, *modes]
        if any(isinstance(arg, ast.Starred) for arg in node.args) or root == "os":
            raise _AnyError
        for mode in modes[:1]:
            plain = isinstance(mode, ast.Constant) and isinstance(mode.value, str)
            if not plain or re.search(r"[wax+]", str(getattr(mode, "value", "w"))):
                yield from self._named(node, "open")

    def _is_module(self, value: ast.expr) -> bool:
        return isinstance(value, ast.Name) and value.id in self._aliases

    def _writes(self, name: str, root: str, node: ast.Call) -> bool:
        lists = _lists()
        words = {keyword.arg for keyword in node.keywords}
        if name in lists["of_modules"]:
            return root in _MODULES
        if name in lists["returns_or_writes"]:
            return bool(node.args) or bool(words & set(lists["path_words"]))
        if name in ("replace", "rename"):
            return root == "os" or len(node.args) == 1
        if name == "dump":
            return root not in ("json", "pickle", "yaml", "marshal")
        return name in lists["writers"] or name.startswith(("write_", "save_", "export_", "sink_"))

    def _named(self, node: ast.Call, name: str) -> Iterator[str]:
        """The names in a call that writes; any file where one is computed to its end."""
        if any(isinstance(arg, ast.Starred) for arg in node.args):
            raise _AnyError
        lists = _lists()
        given = [*node.args[: 2 if name in lists["two_names"] else 1]]
        if name in ("save", "dump") and len(node.args) > 1:
            given = list(node.args[:2])
        given += [k.value for k in node.keywords if k.arg in lists["path_words"] or not k.arg]
        func = node.func
        of_path = name in lists["of_paths"] and isinstance(func, ast.Attribute)
        if of_path and isinstance(func, ast.Attribute) and not self._is_module(func.value):
            given = [func.value, *(given if name in ("rename", "replace", "open") else [])]
        shapes = [self._shape(value) for value in given]
        usable = [shape for shape in shapes if shape and not shape.endswith("*")]
        if not usable or (len(usable) < len(shapes) and name not in ("save", "dump")):
            raise _AnyError
        for shape in usable:
            folder, _, last = shape.rpartition("/")
            last = "*" + last.rpartition("*")[2] if "*" in last else last
            if not last.strip("*."):
                raise _AnyError
            name_of = f"{folder.rpartition('*')[2]}/{last}".removeprefix("/")
            yield name_of
            if "." not in last:  # `numpy.save("x", ...)` writes x.npy
                yield f"{name_of}.*"

    def _shape(self, value: ast.expr, depth: int = 0) -> str:
        """A name with `*` for what the code computes."""
        if depth > 8:
            return "*"
        if isinstance(value, ast.Constant):
            return value.value if isinstance(value.value, str) else "*"
        if isinstance(value, ast.Name):
            known = self._texts.get(value.id)
            return self._shape(known, depth + 1) if known is not None else "*"
        if isinstance(value, ast.JoinedStr):
            return "".join(
                self._shape(part, depth + 1) if isinstance(part, ast.Constant) else "*"
                for part in value.values
            )
        if isinstance(value, ast.BinOp):
            return self._joined(value, depth)
        if isinstance(value, ast.Call):
            name, _ = self._function(value.func)
            if name in ("join", "Path", "PurePath", "str", "abspath", "resolve", "joinpath"):
                parts = [self._shape(arg, depth + 1) for arg in value.args]
                return "/".join(parts) if parts else "*"
            if name == "format" and isinstance(value.func, ast.Attribute):
                return _PIECES.sub("*", self._shape(value.func.value, depth + 1))
        return "*"

    def _joined(self, value: ast.BinOp, depth: int) -> str:
        left, right = self._shape(value.left, depth + 1), self._shape(value.right, depth + 1)
        if isinstance(value.op, ast.Add):
            return left + right
        if isinstance(value.op, ast.Div):
            return f"{left}/{right}"
        return _PIECES.sub("*", left) if isinstance(value.op, ast.Mod) else "*"


@cache
def _lists() -> dict[str, frozenset[str]]:
    file = resources.files("benchwright.trajectory.files").joinpath("python_writers.toml")
    return {k: frozenset(v) for k, v in tomllib.loads(file.read_text(encoding="utf-8")).items()}
