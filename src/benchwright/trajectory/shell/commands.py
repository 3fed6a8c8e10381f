"""A shell script as the commands that it runs, in order. The only user of tree-sitter.

Takes the text of a script (bash or POSIX sh); gives `Command`s, also those inside pipelines, lists,
loops, substitutions and `bash -c '...'`, with their words unquoted, their redirects and what they
get on standard input. Runs nothing. Wrappers (`timeout 5`, `env A=1`, `sudo`, `nohup`, `time`) are
taken off. What the shell would have to compute is None: never guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from benchwright.errors import MissingExtraError
from benchwright.trajectory.shell.heredocs import PREFIX, Heredoc, take_heredocs
from benchwright.trajectory.shell.words import WILD, Pattern, ansi, computed, shape, unescape
from benchwright.trajectory.shell.wrappers import unwrap

_SHELLS = ("bash", "sh", "zsh", "dash")
_DEEPEST = 8
_SPEAKING = frozenset(
    ("cd", "mkdir", "cat", "cp", "mv", "rm", "echo", "printf", "touch", "chmod", "tee", "ls", "pwd",
     "export", "true", ":", "pushd", "popd", "set", "ln")
)  # fmt: skip
"""Programs whose failure shows in the output."""


@dataclass(frozen=True, slots=True)
class Redirect:
    """`operator` as written (`>`, `>>`, `&>`, `2>`); target None where it is computed."""

    operator: str
    target: str | None
    shape: str = ""
    """A computed target with `*` for each expansion in it."""


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command."""

    words: tuple[str | None, ...]
    """Name first; None for a word that holds an expansion."""
    redirects: tuple[Redirect, ...] = ()
    stdin: Heredoc | None = None
    piped_from: int | None = None
    """Index in the list of the command whose output is this one's input."""
    pipes_on: bool = False
    conditional: bool = False
    """Whether it may not have run, or more than once: behind `||`, in a branch, loop, function."""
    nested: bool = False
    """Inside a substitution or a subshell."""
    guarded: bool = False
    """Ran only if the script ended well: the last list has a program before it that may fail."""
    scope: tuple[int, ...] = ()
    """The subshells it is in, outermost first; commands of one scope share a folder."""
    chain: int = 0
    """Number of the statement of the script that it belongs to; `a && b` is one."""

    @property
    def name(self) -> str | None:
        """Last part of the program's path; None where it is computed."""
        first = self.words[0] if self.words else None
        return first.rpartition("/")[2] if first else None


@dataclass(frozen=True, slots=True)
class Script:
    """What a script runs; `broken` where a part of it could not be parsed."""

    commands: tuple[Command, ...]
    broken: bool
    defined: frozenset[str] = frozenset()
    """Names of its functions."""


def parse_script(script: str) -> Script:
    """The commands of `script`; raises MissingExtraError without the extra `logs`."""
    return _parse(script, 0)


def parse_argv(argv: list[str]) -> Script:
    """The commands of a call that has its words already apart."""
    inner = _inner_script(tuple(argv))
    if inner is not None:
        return _parse(inner, 1)
    return Script((unwrap(Command(tuple(argv))),), False)


@lru_cache(maxsize=16)  # several folds ask for the same script one after the other
def _parse(script: str, depth: int) -> Script:
    plain, heredocs = take_heredocs(script)
    data = plain.encode("utf-8", "replace")
    root = _parser().parse(data).root_node
    walk = _Walk(data, heredocs)
    try:
        walk.statements(root, conditional=False, nested=False)
    except RecursionError:
        return Script(tuple(walk.commands), True)
    found = Script(tuple(walk.commands), bool(root.has_error), frozenset(walk.defined))
    return _expanded(found, depth)


def _expanded(script: Script, depth: int) -> Script:
    """`bash -c '...'` replaced by what it runs; indices of pipes are moved along."""
    commands: list[Command] = []
    broken = script.broken
    place: dict[int | None, int] = {}
    for number, command in enumerate(script.commands):
        inner = _inner_script(command.words) if depth < _DEEPEST else None
        below = _parse(inner, depth + 1) if inner is not None else None
        if below is not None and below.commands:
            base = len(commands)
            last = number == len(script.commands) - 1
            commands.extend(_below(item, command, (base, number, last)) for item in below.commands)
        else:
            commands.append(replace(command, piped_from=place.get(command.piped_from)))
        broken = broken or (below is not None and below.broken)
        place[number] = len(commands) - 1
    return Script(tuple(commands), broken, script.defined)


def _below(item: Command, outer: Command, place: tuple[int, int, bool]) -> Command:
    base, number, last = place
    return replace(
        item,
        piped_from=None if item.piped_from is None else item.piped_from + base,
        conditional=item.conditional or outer.conditional or (item.guarded and not last),
        nested=item.nested or outer.nested,
        guarded=item.guarded or outer.guarded or _gives_up(outer.words),
        scope=(*outer.scope, -number - 1, *item.scope),
        chain=outer.chain,
    )


def _gives_up(words: tuple[str | None, ...]) -> bool:
    """Whether a shell stops at the first failure."""
    options = [word for word in words[1:] if word and word.startswith("-")]
    return "errexit" in words or any("e" in o for o in options if not o.startswith("--"))


def _inner_script(words: tuple[str | None, ...]) -> str | None:
    name = (words[0] or "").rpartition("/")[2] if words else ""
    if name not in _SHELLS:
        return None
    for position, word in enumerate(words[1:], start=1):
        if word is not None and word.startswith("-") and not word.startswith("--"):
            if "n" in word:  # it is only checked
                return None
            if "c" in word:
                return words[position + 1] if position + 1 < len(words) else None
        elif word is None or not word.startswith("-"):
            return None
    return None


class _Walk:
    """Collects commands from the syntax tree in the order in which they would run."""

    def __init__(self, data: bytes, heredocs: tuple[Heredoc, ...]) -> None:
        self._data, self._heredocs = data, heredocs
        self.commands: list[Command] = []
        self._chain = 0
        self._scope: tuple[int, ...] = ()
        self._scopes = 0
        self.defined: set[str] = set()

    def statements(self, node: Any, *, conditional: bool, nested: bool) -> None:
        for child in node.named_children:
            after = child.next_sibling
            if after is not None and after.type == "&":
                self._apart(child, conditional=True, nested=nested)
            else:
                self.visit(child, conditional=conditional, nested=nested)
            if node.type == "program":
                self._chain += 1

    def _apart(self, node: Any, *, conditional: bool, nested: bool) -> None:
        """Visit what runs in a shell of its own: its folder is not that of what follows."""
        outer = self._scope
        self._scopes += 1
        self._scope = (*outer, self._scopes)
        if node.type in ("subshell", "command_substitution", "process_substitution"):
            self.statements(node, conditional=conditional, nested=True)
        else:
            self.visit(node, conditional=conditional, nested=nested)
        self._scope = outer

    def visit(self, node: Any, *, conditional: bool, nested: bool) -> None:
        kind = node.type
        if kind == "function_definition":
            name = node.child_by_field_name("name")
            self.defined.add(self._text(name) if name is not None else "")
        if kind == "command":
            self._command(node, (), conditional, nested)
        elif kind == "redirected_statement":
            self._redirected(node, conditional, nested)
        elif kind == "pipeline":
            self._pipeline(node, conditional, nested)
        elif kind == "list":
            self._list(node, conditional, nested)
        elif kind in ("string", "raw_string", "comment", "word", "heredoc_body"):
            self._substitutions(node, conditional)
        elif kind in ("subshell", "command_substitution", "process_substitution"):
            self._apart(node, conditional=conditional, nested=nested)
        else:
            branch = kind not in ("program", "compound_statement", "variable_assignment", "ERROR")
            self.statements(node, conditional=conditional or branch, nested=nested)

    def _list(self, node: Any, conditional: bool, nested: bool) -> None:
        behind_or = any(child.type == "||" for child in node.children)
        final, risky = _is_last(node), False
        for number, child in enumerate(node.named_children):
            start = len(self.commands)
            maybe = conditional or (number > 0 and (behind_or or (risky and not final)))
            self.visit(child, conditional=maybe, nested=nested)
            if risky:
                self.commands[start:] = [replace(c, guarded=True) for c in self.commands[start:]]
            ran = self.commands[start:]
            quiet = not _speaks(ran[-1]) if ran else child.type != "variable_assignment"
            risky = risky or quiet or child.type == "negated_command"

    def _pipeline(self, node: Any, conditional: bool, nested: bool) -> None:
        before: int | None = None
        for child in node.named_children:
            self._apart(child, conditional=conditional, nested=nested)
            last = len(self.commands) - 1
            if before is not None and last > before:
                first = self._first_after(before)
                self.commands[before] = replace(self.commands[before], pipes_on=True)
                self.commands[first] = replace(self.commands[first], piped_from=before)
            before = last

    def _first_after(self, before: int) -> int:
        """The first command of the next stage that is not inside a substitution of it."""
        for number in range(before + 1, len(self.commands)):
            if not self.commands[number].nested:
                return number
        return before + 1

    def _redirected(self, node: Any, conditional: bool, nested: bool) -> None:
        redirects = [child for child in node.named_children if child.type.endswith("_redirect")]
        body = next((c for c in node.named_children if not c.type.endswith("_redirect")), None)
        if body is None:
            self._append((), redirects, conditional, nested)
        elif body.type == "command":
            self._command(body, tuple(redirects), conditional, nested)
        else:
            self.visit(body, conditional=conditional, nested=nested)
            if body.type in ("list", "pipeline", "redirected_statement"):
                self._attach(redirects)
            else:  # a group writes there as a whole: what, only the shell would know
                self._append((None,), redirects, conditional, nested)

    def _attach(self, redirects: list[Any]) -> None:
        """Redirects behind a list or a pipeline belong to its last command."""
        if self.commands:
            found, stdin = self._redirects(redirects)
            last = self.commands[-1]
            self.commands[-1] = replace(
                last, redirects=last.redirects + found, stdin=stdin or last.stdin
            )

    def _command(
        self, node: Any, redirects: tuple[Any, ...], conditional: bool, nested: bool
    ) -> None:
        words: list[str | None] = []
        inside = list(redirects)
        for child in node.children:
            if child.type.endswith("_redirect"):
                inside.append(child)
            elif child.type == "variable_assignment":
                self._substitutions(child, conditional)
            elif child.type == "$":  # before a text that is translated
                words.append(None)
            elif child.type == "command_name":
                words.append(self._word(child.children[0] if child.children else child))
                self._substitutions(child, conditional)
            else:
                words.append(self._word(child))
                self._substitutions(child, conditional)
        self._append(tuple(words), inside, conditional, nested)

    def _append(
        self, words: tuple[str | None, ...], redirects: list[Any], conditional: bool, nested: bool
    ) -> None:
        found, stdin = self._redirects(redirects)
        command = Command(
            words, found, stdin, None, False, conditional, nested, scope=self._scope,
            chain=self._chain,
        )  # fmt: skip
        self.commands.append(unwrap(command))

    def _redirects(self, nodes: list[Any]) -> tuple[tuple[Redirect, ...], Heredoc | None]:
        found, stdin = [], None
        for node in nodes:
            parts = list(node.children)
            target = self._word(parts[-1]) if parts else None
            operator = "".join(self._text(part) for part in parts[:-1])
            if target is not None and target.startswith(PREFIX):
                if operator not in ("<", "0<"):
                    continue
                stdin = self._heredocs[int(target[len(PREFIX) :])]
            elif node.type == "herestring_redirect":
                text = self._word(parts[-1])
                stdin = Heredoc(f"{text}\n", True, "<<<") if text is not None else None
            else:
                open_end = shape(self._text(parts[-1])) if parts and target is None else ""
                found.append(Redirect(operator, target, open_end))
        return tuple(found), stdin

    def _substitutions(self, node: Any, conditional: bool) -> None:
        """Commands inside `$(...)` and backticks of a word, which run before the command."""
        if node.type in ("command_substitution", "process_substitution"):
            self._apart(node, conditional=conditional, nested=True)
            return
        for child in node.named_children:
            self._substitutions(child, conditional)

    def _word(self, node: Any) -> str | None:
        text = self._text(node)
        if node.type == "raw_string":
            return text[1:-1]
        if node.type == "string":
            return None if computed(node) else unescape(text[1:-1], '"')
        if node.type == "concatenation":
            parts = [self._word(child) for child in node.children]
            if None in parts:
                return None
            whole = "".join(part or "" for part in parts)
            braces = {"{", "}"} <= set(parts) or {"[", "]"} <= set(parts)
            return Pattern(whole) if braces or any(isinstance(p, Pattern) for p in parts) else whole
        if node.type in ("word", "number", "command_name"):
            plain = unescape(text, "")
            return Pattern(plain) if WILD.search(re.sub(r"\\.", "", text)) else plain
        if node.type == "ansi_c_string":
            return ansi(text[2:-1])
        return text if not node.is_named or node.type == "test_operator" else None

    def _text(self, node: Any) -> str:
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _is_last(node: Any) -> bool:
    """Whether the status of this list is that of the whole script."""
    while node.parent is not None and node.parent.type == "redirected_statement":
        node = node.parent
    if node.parent is None or node.parent.type != "program":
        return False
    while (node := node.next_named_sibling) is not None:
        if node.type != "comment":
            return False
    return True


def _speaks(command: Command) -> bool:
    """Whether it says so when it fails."""
    hidden = any(r.operator.startswith(("2", "&", ">&")) for r in command.redirects)
    return command.name in _SPEAKING and not hidden


@cache
def _parser() -> Any:
    try:
        import tree_sitter_bash
        from tree_sitter import Language, Parser
    except ImportError as error:
        raise MissingExtraError(
            "reading shell commands needs tree-sitter",
            value="tree_sitter_bash",
            where="extra `logs`",
            hint="Install it: pip install 'benchwright[logs]'.",
        ) from error
    return Parser(Language(tree_sitter_bash.language()))
