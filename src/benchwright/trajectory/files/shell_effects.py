"""What a shell command did to files, as far as its script says.

Takes a script, the folder it ran in and how it ended; gives effects in order and the folder at the
end. What a program can write that is no plain file command is for `programs`; what runs beside the
script, or at its end, is said again behind all else.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from benchwright.trajectory.files.effects import Effect, Program, patch_effects
from benchwright.trajectory.files.file_commands import FILE_COMMANDS, may_fail
from benchwright.trajectory.files.programs import reach, sets_up_only
from benchwright.trajectory.files.settings import upsets
from benchwright.trajectory.files.shell_output import (
    plain_heredoc,
    printed,
    redirected,
    takes_output,
)
from benchwright.trajectory.shell.command import hides
from benchwright.trajectory.shell.commands import Command, Script, parse_argv, parse_script
from benchwright.trajectory.shell.words import Pattern

_COMPLAINERS = ("cd", "cp", "mv", "rm", "tee", "cat", "mkdir", "sudo", "ln")
_COMPLAINT = re.compile(
    rf"^(?:(?:/\S*/)?(?:ba|z|da|)sh: |\(eval\):|({'|'.join(_COMPLAINERS)}): )(.*)$", re.MULTILINE
)
_SIGNS = ("sh: ", "(eval):", *(f"{program}: " for program in _COMPLAINERS))
"""What an output with a complaint holds: found much faster than the pattern."""
LOST = "\0"
"""A folder that the log does not tell."""
_BROKE = re.compile(
    r"No such file or directory|Permission denied|Is a directory|Read-only file system|"
    r"cannot create|No space left|command not found"
)

_PLAINLY = ("write", "append")
_UPSETTING = ("alias", "trap", "enable", "hash", "coproc", "ulimit")
"""What changes how a shell reads or runs what follows."""
_LOOSE = ("coproc", "setsid", "at", "batch", "crontab", "screen", "tmux", "systemd-run")
"""What starts programs that go on when the script is over."""


@dataclass(frozen=True, slots=True)
class Ran:
    """Effects of a script, and where the shell stands afterwards (None: not known)."""

    effects: tuple[Effect, ...]
    cwd: str | None


def shell_effects(
    command: str | list[str],
    cwd: str | None,
    *,
    failed: bool,
    answered: bool,
    output: str | None,
    running: bool = False,
) -> Ran:
    """Effects of one call of a shell tool.

    command: script, or words that are already apart; failed: it ended with another code than 0;
    answered: whether a result came back at all; output: what it printed; running: it went on
    beside what follows in the log.
    """
    script = parse_argv(command) if isinstance(command, list) else parse_script(command)
    words = command if isinstance(command, list) else [command]
    odd = any("CDPATH" in word for word in words)
    runner = _Runner(script, cwd, ended_well=answered and not failed, odd_folders=odd)
    effects = [effect for number in range(len(script.commands)) for effect in runner.run(number)]
    doubtful = set() if answered and not running else set(range(len(effects)))
    if answered and (failed or script.broken):
        doubtful |= runner.doubtful(effects, _BROKE.search(output or "") is not None)
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
    if script.broken:
        why = "its script could not be read"
        marked = (
            *(effect for effect in marked if effect.path is not None),
            Effect("opaque", None, everything=True, why=why),
        )
    if upsets(words):
        why = "a setting makes programs run or write something else"
        marked = (*marked, Effect("opaque", None, everything=True, why=why))
    late = runner.late
    if running or not answered:
        late = [*late, *(again for effect in effects for again in _again(effect, lasting=True))]
    return Ran((*marked, *late), runner.cwd)


def _again(effect: Effect, *, lasting: bool) -> Iterator[Effect]:
    """An effect of what runs beside the script: it can come at any later moment."""
    why = "a job in the background can have written it" if lasting else "written at the end"
    if effect.kind == "link":
        return
    if effect.kind == "opaque":
        yield replace(effect, lasting=lasting, certain=False, why=why)
        return
    for path in (effect.path, effect.to):
        if path is not None:
            yield Effect("opaque", path, names=path, certain=False, lasting=lasting, why=why)


class _Runner:
    def __init__(
        self, script: Script, cwd: str | None, *, ended_well: bool, odd_folders: bool
    ) -> None:
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
        self._odd_folders = odd_folders
        """Whether `cd` may look for a folder elsewhere than below this one."""
        self.late: list[Effect] = []
        """What may happen at the end of the script, or later."""
        self._jobs: list[Effect] = []
        """Of `late`, what `wait` waits for."""

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
        if command.name == "wait" and len(command.words) == 1 and self._surely(command):
            yield from self._waited(number)
        for effect in _of(command, self._input(command), self._defined):
            self._owners.append(number)
            certain = effect.certain and self._surely(command)
            why = effect.why or ("" if certain else "it may not have run")
            placed = self._placed(replace(effect, certain=certain, why=why), command)
            self._note_late(placed, command)
            yield placed
        if command.takes_over:
            self._ends(command)

    def _waited(self, number: int) -> Iterator[Effect]:
        for effect in self._jobs:
            self._owners.append(number)
            yield replace(effect, lasting=False)
        self.late = [effect for effect in self.late if effect not in self._jobs]
        self._jobs = []

    def _note_late(self, effect: Effect, command: Command) -> None:
        """Keep what a job in the background, `exec > file` or a trap writes later."""
        if command.background:
            again = list(_again(effect, lasting=True))
            self.late += again
            if command.background == 1 and command.name != "setsid":
                self._jobs += again
        elif command.name in ("exec", "trap"):
            self.late += _again(effect, lasting=False)

    def _ends(self, command: Command) -> None:
        if command.conditional:
            self._unsure.add(command.scope)
            return
        self._over.add(command.scope)
        if not command.scope:  # such a shell does not hand its folder on
            self._folders[()] = self._start

    def _surely(self, command: Command) -> bool:
        scope = command.scope
        if any(scope[:depth] in self._unsure for depth in range(len(scope) + 1)):
            return False
        guarded = (command.guarded or scope in self._strict) and not self._told(command)
        sure = not (
            command.conditional or command.background or guarded or _may_fail_unseen(command)
        )
        return sure and command.name not in self._defined

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
            self._ends(command)
        elif (
            (command.name == "return" and not command.conditional)
            or command.name in _UPSETTING
            or _runs_here(command)
            or (command.name == "exec" and not command.takes_over)
        ):
            self._unsure.add(scope)
        elif command.name in ("set", "shopt"):
            if {"-n", "-C", "noclobber", "noexec"} & set(words):
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
            if name == "pushd" and len(words) == 2 and (words[1] or "-")[0] not in "-+":
                stack.append(here)
            elif name == "pushd":  # it turns the stack, or leaves the folder
                stack.clear()
        elif _runs_here(command):
            # what it runs can change the folder without a trace
            if name != "eval" or any(w is None or "cd" in w or "pushd" in w for w in words[1:]):
                self._folders[scope] = LOST
        elif name == "popd":
            self._folders[scope] = stack.pop() if stack and len(words) == 1 else LOST

    def _unmoved(self, command: Command) -> bool:
        upset = any(command.scope[:n] in self._unsure for n in range(len(command.scope) + 1))
        return may_fail(command) or command.name in self._defined or self._odd_folders or upset

    def _stray(self) -> None:
        self.strayed = True
        moves = [c for c in self._commands if c.name in ("cd", "pushd", "popd") and not c.scope]
        if moves:
            self._folders[()] = self._start if len(moves) == 1 else LOST

    def complained(self, output: str) -> set[int]:
        """Effects that what programs said of themselves puts in doubt."""
        names: set[str] = set()
        if not any(sign in output for sign in _SIGNS):
            return set()
        for program, rest in _COMPLAINT.findall(output):
            if not program and rest.endswith("command not found") and "sudo" not in rest:
                continue
            if program in ("", "cd", "sudo"):
                if re.search(r"\b(?:cd|pushd|popd):", rest) or program == "cd":
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
        if effect.program is not None:
            inside = effect.program.path
            lost = folder == LOST and inside is not None and not inside.startswith("/")
            path = None if lost else _join(folder, inside)
            return replace(effect, program=replace(effect.program, path=path, folder=folder))
        if folder == LOST and any(not path.startswith("/") for path in named):
            why = "written below a folder that the log does not tell"
            if effect.kind == "link":
                return Effect("link", None, why=why)
            return Effect("opaque", None, names="\n".join(named), why=why)
        crossed = any(_crosses(folder, path) for path in named)
        return replace(
            effect, path=_join(folder, effect.path), to=_join(folder, effect.to), crossed=crossed
        )

    def _input(self, command: Command) -> str | None:
        """Text on standard input, where the script itself holds it."""
        if command.stdin is not None:
            return plain_heredoc(command)
        if command.piped_from is not None:
            before = self._commands[command.piped_from]
            if takes_output(before) is not None:
                return None
            return printed(before, self._input(before))
        return None


def _changed(here: str | None, words: Sequence[str | None]) -> str | None:
    """Where `cd` and its words lead from a folder."""
    targets = list(words[1:])
    while targets and targets[0] in ("--", "-L", "-P"):
        targets = targets[1:]
    target = targets[0] if len(targets) == 1 else None
    if not target or target[0] in "-+~" or isinstance(target, Pattern):
        return LOST
    return LOST if here == LOST and not target.startswith("/") else _join(here, target)


def _of(command: Command, given: str | None, defined: frozenset[str]) -> Iterator[Effect]:
    yield from redirected(command, given)
    name = command.name
    if name is None:
        if command.words and not command.group:
            why = "a command that only the shell knows"
            yield Effect("opaque", None, everything=True, why=why)
    elif name in defined:
        yield Effect("opaque", None, everything=True, why=f"the function `{name}` ran")
    elif name in ("apply_patch", "applypatch"):
        text = command.words[1] if len(command.words) > 1 else given
        yield from patch_effects(text or "")
    elif name == "trap":
        code = command.words[1] if len(command.words) > 1 else ""
        yield Effect("opaque", None, program=Program("bash", code=code), why="a trap ran")
    elif name in _LOOSE:
        why = f"`{name}` starts programs that go on"
        yield Effect("opaque", None, everything=True, lasting=True, why=why)
    elif name in FILE_COMMANDS:
        yield from FILE_COMMANDS[name](command, given)
    else:
        yield from reach(command, given)
    if command.stdin is not None and not command.stdin.literal:
        yield from _inside(command.stdin.text)


def _inside(text: str) -> Iterator[Effect]:
    """Programs whose output stands in a text."""
    found = re.findall(r"\$\((?!\()([^()`]*)\)|(?<!\\)`([^`]*)`", text)
    count = len(re.findall(r"\$\((?!\()", text)) + len(re.findall(r"(?<!\\)`", text)) // 2
    if count:
        code = "\n".join(a or b for a, b in found) if len(found) == count else None
        why = "a program ran inside a text"
        yield Effect("opaque", None, program=Program("bash", code=code), why=why)


def _may_fail_unseen(command: Command) -> bool:
    """Whether a failure to write or to delete would leave no word in the output."""
    if command.muted or (hides(command) and command.name in FILE_COMMANDS):
        return True
    operators = [redirect.operator for redirect in command.redirects]
    quiet = next((n for n, o in enumerate(operators) if o.startswith("2")), len(operators))
    return any(not operator.startswith(("2", "<")) for operator in operators[quiet:])


def _runs_here(command: Command) -> bool:
    """Whether other text runs in the shell itself."""
    return command.name in ("source", ".", "eval") and not sets_up_only(command)


def _crosses(folder: str | None, path: str) -> bool:
    parts = posixpath.join(folder or "", path).split("/")
    return any(part == ".." and number > 1 for number, part in enumerate(parts))


def _join(cwd: str | None, path: str | None) -> str | None:
    if path is None:
        return None
    if path.startswith("/") or cwd is None:
        return posixpath.normpath(path)
    return posixpath.normpath(posixpath.join(cwd, path))
