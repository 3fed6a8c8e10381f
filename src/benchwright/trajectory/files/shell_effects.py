"""What a shell command did to files, as far as its script says.

Takes a script, the folder it ran in and how it ended; gives effects in order and the folder at the
end. A program that is not known to leave files alone is an opaque writer: of the files that its
words name, of everything for formatters and the like (`writers.toml`).
"""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Literal

from benchwright.trajectory.files.effects import Effect, patch_effects
from benchwright.trajectory.files.shell_output import plain_heredoc, printed, redirected, written
from benchwright.trajectory.shell.commands import Command, Script, parse_argv, parse_script
from benchwright.trajectory.shell.words import Pattern

_COMPLAINT = re.compile(
    r"^(?:(?:/\S*/)?(?:ba|z|da|)sh: |\(eval\):|(cd|cp|mv|rm|tee|cat|mkdir|sudo|ln): )(.*)$",
    re.MULTILINE,
)
LOST = "\0"
"""A folder that the log does not tell."""
_BROKE = re.compile(
    r"No such file or directory|Permission denied|Is a directory|Read-only file system|"
    r"cannot create|No space left|command not found"
)


_PLAINLY = ("write", "append")
_ON_FOUND = {
    "find": {"-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprintf", "-fls"},
    "fd": {"-x", "-X", "--exec", "--exec-batch"},
}
"""Options by which a search changes files, or runs what may."""
_WRITING = {
    "sort": r"-\w*o|--output",
    "tree": r"-o",
    "xxd": r"-\w*r",
    "history": r"-[aw]",
    "awk": r"-i$|inplace|.*>",
    "env": r"-C|--chdir|-S|--split",
}
"""Options by which a program that else only reads writes a file, or runs what may."""
_NAMED = {"-name", "-iname", "-path", "-wholename"}
"""Options of `find` whose pattern tells which files."""


@dataclass(frozen=True, slots=True)
class Ran:
    """Effects of a script, and where the shell stands afterwards (None: not known)."""

    effects: tuple[Effect, ...]
    cwd: str | None


def shell_effects(
    command: str | list[str], cwd: str | None, *, failed: bool, answered: bool, output: str | None
) -> Ran:
    """Effects of one call of a shell tool.

    command: script, or words that are already apart; failed: it ended with another code than 0;
    answered: whether a result came back at all; output: what it printed.
    """
    script = parse_argv(command) if isinstance(command, list) else parse_script(command)
    runner = _Runner(script, cwd, ended_well=answered and not failed)
    effects = [effect for number in range(len(script.commands)) for effect in runner.run(number)]
    doubtful = set() if answered else set(range(len(effects)))
    if answered and (failed or script.broken):
        doubtful = runner.doubtful(effects, _BROKE.search(output or "") is not None)
    if answered:
        doubtful |= runner.complained(output or "")
    marked = tuple(
        replace(effect, certain=False, why=effect.why or "the command failed or was cut off")
        if number in doubtful or script.broken
        else effect
        for number, effect in enumerate(effects)
    )
    if runner.strayed and marked:
        named = "\n".join(path for e in effects for path in (e.path, e.to) if path)
        marked = (*marked, Effect("opaque", None, names=named, why="a change of folder failed"))
    return Ran(marked, runner.cwd)


class _Runner:
    def __init__(self, script: Script, cwd: str | None, *, ended_well: bool) -> None:
        self._commands = script.commands
        self._defined = script.defined
        self._ended_well = ended_well
        self._start = cwd
        self.strayed = False
        """Whether a change of folder failed, so that files are not where the words say."""
        self._folders: dict[tuple[int, ...], str | None] = {(): cwd}
        """Folder of each subshell; a new one starts in that of the shell around it."""
        self._stacks: dict[tuple[int, ...], list[str | None]] = {}
        self._over: set[tuple[int, ...]] = set()
        """Shells that have ended."""
        self._unsure: set[tuple[int, ...]] = set()
        """Shells that may have ended, or no longer do plainly what they are told."""
        self._strict: set[tuple[int, ...]] = set()
        """Inner shells that end at the first failure."""
        self._owners: list[int] = []
        """For each effect, which command it came from."""

    @property
    def cwd(self) -> str | None:
        """Folder of the outermost shell."""
        return self._folders[()]

    def run(self, number: int) -> Iterator[Effect]:
        command = self._commands[number]
        if any(command.scope[:depth] in self._over for depth in range(len(command.scope) + 1)):
            return
        self._flow(command)
        self._move_to(command)
        for effect in _of(command, self._input(command)):
            self._owners.append(number)
            certain = effect.certain and self._surely(command)
            yield self._placed(
                replace(
                    effect,
                    certain=certain,
                    why=effect.why or ("" if certain else "it may not have run"),
                ),
                command,
            )

    def _surely(self, command: Command) -> bool:
        scope = command.scope
        if any(scope[:depth] in self._unsure for depth in range(len(scope) + 1)):
            return False
        guarded = (command.guarded or scope in self._strict) and not self._told(command)
        return not (command.conditional or guarded or command.name in self._defined)

    def _told(self, command: Command) -> bool:
        """Whether the end of the script says that all of this statement ran."""
        last = command.chain == self._commands[-1].chain
        alike = (c for c in self._commands if c.chain == command.chain)
        return self._ended_well and last and not any(c.conditional for c in alike)

    def _flow(self, command: Command) -> None:
        """What ends a shell, or changes how it runs what follows."""
        words, scope = command.words, command.scope
        if command.name == "exit" and command.conditional:
            gave_up = len(words) > 1 and words[1] not in (None, "0")
            if scope or not (gave_up and self._ended_well):
                self._unsure.add(scope)
        elif command.name == "exit":
            self._over.add(scope)
            if not scope:  # such a shell does not hand its folder on
                self._folders[()] = self._start
        elif command.name == "return" and not command.conditional:
            self._unsure.add(scope)
        elif command.name in ("set", "shopt", "alias", "trap"):
            off = {"-n", "-C", "noclobber", "noexec"} & set(words)
            if off or command.name in ("alias", "trap"):
                self._unsure.add(scope)
            elif scope and any(word and re.match(r"-\w*e|errexit", word) for word in words[1:]):
                self._strict.add(scope)

    def _move_to(self, command: Command) -> None:
        scope, words = command.scope, command.words
        for depth in range(1, len(scope) + 1):
            self._folders.setdefault(scope[:depth], self._folders[scope[: depth - 1]])
        if command.name in ("builtin", "eval") and {"cd", "pushd", "popd"} & set(words[1:2]):
            words = words[1:]
        name = (words[0] if words else None) or ""
        here, stack = self._folders[scope], self._stacks.setdefault(scope, [])
        if name in ("cd", "pushd"):
            self._folders[scope] = LOST if self._unmoved(command) else _changed(here, words)
            if name == "pushd":
                stack.append(here)
        elif name == "eval":  # what it runs can change the folder without a trace
            if any(word is None or "cd" in word or "pushd" in word for word in words[1:]):
                self._folders[scope] = LOST
        elif name == "popd":
            self._folders[scope] = stack.pop() if stack and len(words) == 1 else LOST

    def _unmoved(self, command: Command) -> bool:
        return _may_fail(command) or command.name in self._defined

    def _stray(self) -> None:
        self.strayed = True
        moves = [c for c in self._commands if c.name in ("cd", "pushd", "popd") and not c.scope]
        if moves:
            self._folders[()] = self._start if len(moves) == 1 else LOST

    def complained(self, output: str) -> set[int]:
        """Effects that what programs said of themselves puts in doubt."""
        names: set[str] = set()
        for program, rest in _COMPLAINT.findall(output):
            if not program and rest.endswith("command not found") and "sudo" not in rest:
                continue
            if program in ("", "cd", "sudo"):
                if "cd:" in rest or program == "cd":
                    self._stray()
                return set(range(len(self._owners)))
            names.add(program)
        chains = {c.chain for c in self._commands if c.name in names}
        return {i for i, owner in enumerate(self._owners) if self._commands[owner].chain in chains}

    def doubtful(self, effects: Sequence[Effect], broke: bool) -> set[int]:
        """Effects that a failure puts in doubt: those of its last statement, or all.

        A text that the shell itself writes first in a longer statement is there unless it said so.
        """
        last = self._commands[-1].chain if self._commands else 0
        inside = [i for i, command in enumerate(self._commands) if command.chain == last]
        return {
            number
            for number, owner in enumerate(self._owners)
            if broke
            or (
                owner in inside
                and not (
                    owner == inside[0] and len(inside) > 1 and effects[number].kind in _PLAINLY
                )
            )
        }

    def _placed(self, effect: Effect, command: Command) -> Effect:
        folder = self._folders[command.scope]
        named = [path for path in (effect.path, effect.to) if path]
        if folder == LOST and any(not path.startswith("/") for path in named):
            why = "written below a folder that the log does not tell"
            return Effect("opaque", None, names="\n".join(named), why=why)
        return replace(effect, path=_join(folder, effect.path), to=_join(folder, effect.to))

    def _input(self, command: Command) -> str | None:
        """Text on standard input, where the script itself holds it."""
        if command.stdin is not None:
            return plain_heredoc(command)
        if command.piped_from is not None:
            before = self._commands[command.piped_from]
            return printed(before, self._input(before))
        return None


def _may_fail(command: Command) -> bool:
    """Whether it may have done nothing without a word."""
    return command.conditional or any(r.operator.startswith(("2", "&")) for r in command.redirects)


def _changed(here: str | None, words: Sequence[str | None]) -> str | None:
    """Where `cd` and its words lead from a folder."""
    targets = list(words[1:])
    while targets and targets[0] in ("--", "-L", "-P"):
        targets = targets[1:]
    target = targets[0] if len(targets) == 1 else None
    if not target or target[0] in "-+~" or isinstance(target, Pattern):
        return LOST
    return LOST if here == LOST and not target.startswith("/") else _join(here, target)


def _of(command: Command, given: str | None) -> Iterator[Effect]:
    yield from redirected(command, given)
    name = command.name
    if name is None:
        if command.words and command.words != (None,):
            yield _opaque(command, "a command that only the shell knows")
        return
    if name in ("apply_patch", "applypatch"):
        text = command.words[1] if len(command.words) > 1 else given
        yield from patch_effects(text or "")
        return
    special = _SPECIAL.get(name)
    if special is not None:
        yield from special(command, given)
    elif not _leaves_alone(command):
        yield _opaque(command, f"`{name}` can write files", given)
    if command.stdin is not None and not command.stdin.literal and "$(" in command.stdin.text:
        yield Effect("opaque", None, names=command.stdin.text, why="a program runs inside a text")


def _tee(command: Command, given: str | None) -> Iterator[Effect]:
    append = any(word in ("-a", "--append") for word in command.words)
    for word in command.words[1:]:
        if word is None:
            yield _opaque(command, "output to a name that the shell computes")
        elif not word.startswith("-") and not word.startswith("/dev/"):
            yield written(word, given, append)


def _remove(command: Command, _: str | None) -> Iterator[Effect]:
    asks = any(word and re.match(r"-[a-zA-Z]*[iI]", word) for word in command.words[1:])
    for word in command.words[1:]:
        if word is None or isinstance(word, Pattern):
            yield _opaque(command, "files are deleted by a pattern")
        elif not word.startswith("-"):
            yield Effect("delete", word, certain=not asks, why="it asks" if asks else "")


def _move(command: Command, _: str | None) -> Iterator[Effect]:
    options = [word for word in command.words[1:] if word and word.startswith("-")]
    words = [word for word in command.words[1:] if word is None or not word.startswith("-")]
    plain = len(words) == 2 and all(word and not isinstance(word, Pattern) for word in words)
    plain = plain and not any(_ODD.match(word) for word in options)
    if plain and words[0] and words[1]:
        if posixpath.normpath(words[0]) != posixpath.normpath(words[1]):
            kind: Literal["move", "copy"] = "move" if command.name == "mv" else "copy"
            asks = any(_ASKS.match(word) for word in options) or _may_fail(command)
            why = "it may have left the target as it was" if asks else ""
            yield Effect(kind, words[0], to=words[1], certain=not asks, why=why)
    else:
        yield _opaque(command, f"several files at once with {command.name}")


_ODD = re.compile(r"-[a-zA-Z]*[tlsbS]|--(?:target|link|symbolic|backup|suffix)")
_ASKS = re.compile(r"-[a-zA-Z]*[niu]|--(?:no-clobber|interactive|update)")


def _stream_editor(command: Command, _: str | None) -> Iterator[Effect]:
    inplace = any(word and re.match(r"-\w*i|--in-place", word) for word in command.words[1:])
    if inplace:
        yield _opaque(command, f"edited in place with {command.name}")


_SPECIAL = {
    "tee": _tee,
    "rm": _remove,
    "unlink": _remove,
    "mv": _move,
    "cp": _move,
    "sed": _stream_editor,
}


def _opaque(command: Command, why: str, given: str | None = None) -> Effect:
    words = [word or "" for word in command.words]
    body = command.stdin.text if command.stdin else ""
    everything = command.name in _writers()["everything"] or _git_writes(command)
    everything = everything or (_runs_on_found(command) and not _NAMED & set(words))
    hidden = None in command.words or any(
        isinstance(word, Pattern) and not word.rpartition("/")[2].strip("*?.") for word in words
    )
    if command.name in _writers()["interpreters"]:
        words = _without_script(words)
    names = "\n".join([*words, body, given or ""])
    return Effect("opaque", None, names=names, everything=everything or hidden, why=why)


def _without_script(words: list[str]) -> list[str]:
    """Words of an interpreter but the script that it runs: running a file is not writing it."""
    for number, word in enumerate(words[1:], start=1):
        if word in ("-c", "-e", "-m", "-"):
            return words
        if not word.startswith("-"):
            return [*words[:number], *words[number + 1 :]]
    return words


def _git_writes(command: Command) -> bool:
    before = ("", *command.words)
    verbs = [
        word
        for word, option in zip(command.words[1:], before[1:], strict=False)
        if word and not word.startswith("-") and option not in ("-C", "-c")
    ]
    return command.name == "git" and bool(verbs) and verbs[0] in _writers()["git"]


def _runs_on_found(command: Command) -> bool:
    """Whether a search does something to the files that it finds."""
    return bool(_ON_FOUND.get(command.name or "", set()) & set(command.words))


def _leaves_alone(command: Command) -> bool:
    words = [word or "" for word in command.words[1:]]
    if command.name == "git":
        return not _git_writes(command)
    option = _WRITING.get(command.name or "")
    if option is not None and any(re.match(option, word, re.DOTALL) for word in words):
        return False
    if command.name in ("uniq", "xxd"):
        return sum(not word.startswith("-") for word in words) < 2
    return not _runs_on_found(command) and command.name in _writers()["readers"]


@cache
def _writers() -> dict[str, frozenset[str]]:
    file = resources.files("benchwright.trajectory.files").joinpath("writers.toml")
    return {k: frozenset(v) for k, v in tomllib.loads(file.read_text(encoding="utf-8")).items()}


def _join(cwd: str | None, path: str | None) -> str | None:
    if path is None:
        return None
    if path.startswith("/") or cwd is None:
        return posixpath.normpath(path)
    return posixpath.normpath(posixpath.join(cwd, path))
