"""The walk over the syntax tree of a script. The only user of tree-sitter."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

from benchwright.errors import MissingExtraError, installing
from benchwright.trajectory.shell.command import NO_JOB, Command, Redirect, hides
from benchwright.trajectory.shell.heredocs import PREFIX, Heredoc
from benchwright.trajectory.shell.words import WILD, Pattern, ansi, computed, shape, unescape
from benchwright.trajectory.shell.wrappers import unwrap

_SPEAKING = frozenset(
    ("cd", "mkdir", "cat", "cp", "mv", "rm", "echo", "printf", "touch", "chmod", "tee", "ls", "pwd",
     "export", "true", ":", "pushd", "popd", "set", "ln")
)  # fmt: skip
"""Programs whose failure shows in the output."""


class Walk:
    """Collects commands from the syntax tree in the order in which they would run."""

    def __init__(self, data: bytes, heredocs: tuple[Heredoc, ...]) -> None:
        self._data, self._heredocs = data, heredocs
        self.commands: list[Command] = []
        self._chain = 0
        self._scope: tuple[int, ...] = ()
        self._scopes = 0
        self.defined: set[str] = set()
        self._background, self._muted = 0, False

    def statements(self, node: Any, *, conditional: bool, nested: bool) -> None:
        """Visit the children of a node in order."""
        for child in node.named_children:
            after = child.next_sibling
            if after is not None and after.type == "&":
                self._beside(child, conditional=True, nested=nested)
            else:
                self.visit(child, conditional=conditional, nested=nested)
            if node.type == "program":
                self._chain += 1

    def _beside(self, node: Any, *, conditional: bool, nested: bool) -> None:
        """Visit what does not end before the next command begins."""
        outer = self._background
        job = node.type != "process_substitution"
        self._background = len(self._scope) + 1 if job and not outer else NO_JOB
        self._apart(node, conditional=conditional, nested=nested)
        self._background = outer

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
        """Collect the commands of a node; `conditional` and `nested` as in `Command`."""
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
        elif kind == "process_substitution":
            self._beside(node, conditional=conditional, nested=nested)
        elif kind in ("subshell", "command_substitution"):
            self._apart(node, conditional=conditional, nested=nested)
        elif kind == "test_command":
            self._test(node, conditional, nested)
        else:
            branch = kind not in ("program", "compound_statement", "variable_assignment", "ERROR")
            self.statements(node, conditional=conditional or branch, nested=nested)

    def _test(self, node: Any, conditional: bool, nested: bool) -> None:
        """`[ a > b ]` writes b, as `[[ a > b ]]` does not."""
        self._substitutions(node, conditional)
        target = re.search(r">+\s*([^\s>\]]+)", self._text(node))
        if target and not self._text(node).startswith(("[[", "((")):
            found = (Redirect(">", None, shape(target.group(1))),)
            self._keep(Command(("[",), found), conditional, nested)

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
            quiet = child.type != "variable_assignment"
            if ran:  # the status of a pipeline is that of its last part
                quiet = not all(_speaks(c) for c in ran if not c.pipes_on)
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
            outer = self._muted
            self._muted = outer or any(self._hides(node) for node in redirects)
            self.visit(body, conditional=conditional, nested=nested)
            self._muted = outer
            if body.type in ("list", "pipeline", "redirected_statement"):
                self._attach(redirects)
            else:  # a group writes there as a whole: what, only the shell would know
                self._append((None,), redirects, conditional, nested)
                self.commands[-1] = replace(self.commands[-1], group=True)

    def _hides(self, redirect: Any) -> bool:
        return self._text(redirect).startswith(("2", "&", ">&"))

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
        for node in redirects:
            self._substitutions(node, conditional)
        found, stdin = self._redirects(redirects)
        self._keep(unwrap(Command(words, found, stdin)), conditional, nested)

    def _keep(self, command: Command, conditional: bool, nested: bool) -> None:
        placed = replace(
            command, conditional=conditional, nested=nested, scope=self._scope, chain=self._chain,
            background=self._background, muted=self._muted,
        )  # fmt: skip
        self.commands.append(placed)

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
        if node.type == "process_substitution":
            self._beside(node, conditional=conditional, nested=True)
            return
        if node.type == "command_substitution":
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
    return command.name in _SPEAKING and not hides(command) and not command.muted


@cache
def parser() -> Any:
    """The parser of tree-sitter-bash; raises MissingExtraError without the extra `logs`."""
    try:
        import tree_sitter_bash
        from tree_sitter import Language, Parser
    except ImportError as error:
        raise MissingExtraError(
            "reading shell commands needs tree-sitter",
            value="tree_sitter_bash",
            where="extra `logs`",
            hint=installing("logs"),
        ) from error
    return Parser(Language(tree_sitter_bash.language()))
