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

from benchwright.trajectory.files.effects import Effect, Kind, patch_effects
from benchwright.trajectory.shell.commands import Command, Script, parse_argv, parse_script

_OUTPUT = re.compile(r"^(\d*|&)>{1,2}[|&]?$")
_BROKE = re.compile(
    r"No such file or directory|Permission denied|Is a directory|Read-only file system|"
    r"cannot create|No space left|command not found"
)


_PLAINLY = ("write", "append")
_ON_FOUND = {
    "find": {"-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprintf"},
    "fd": {"-x", "-X", "--exec", "--exec-batch"},
}
"""Options by which a search changes files, or runs what may."""
_WRITING = {"sort": r"-\w*o|--output", "tree": r"-o", "xxd": r"-\w*r", "history": r"-[aw]"}
"""Options by which a program that else only reads writes a file."""
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
    runner = _Runner(script, cwd)
    effects = [effect for number in range(len(script.commands)) for effect in runner.run(number)]
    doubtful = set() if answered else set(range(len(effects)))
    if answered and (failed or script.broken):
        doubtful = runner.doubtful(effects, _BROKE.search(output or "") is not None)
    marked = tuple(
        replace(effect, certain=False, why=effect.why or "the command failed or was cut off")
        if number in doubtful or script.broken
        else effect
        for number, effect in enumerate(effects)
    )
    return Ran(marked, runner.cwd)


class _Runner:
    def __init__(self, script: Script, cwd: str | None) -> None:
        self._commands = script.commands
        self.cwd = cwd
        self._lost = False
        """Whether the shell went to a folder that it computed."""
        self._inner: str | None = cwd
        """Folder inside a subshell of the statement at hand."""
        self._owners: list[int] = []
        """For each effect, which command it came from."""

    def run(self, number: int) -> Iterator[Effect]:
        command = self._commands[number]
        if not command.nested:
            self._inner = self.cwd
        if command.name in ("cd", "pushd"):
            self._change(command)
        for effect in self._wherever(_of(command, self._input(command)), command):
            self._owners.append(number)
            certain = effect.certain and not command.conditional
            yield replace(
                effect,
                path=self._place(effect.path, command),
                to=self._place(effect.to, command),
                certain=certain,
                why=effect.why or ("" if certain else "it may not have run"),
            )

    def _wherever(self, effects: Iterator[Effect], command: Command) -> Iterator[Effect]:
        """In a folder that is not known, a relative name can be that of a file known elsewhere."""
        folder = self._inner if command.nested else self.cwd
        for effect in effects:
            if self._lost and folder is None and effect.path and not effect.path.startswith("/"):
                why = "written in a folder that the shell computes"
                yield Effect("opaque", None, names=effect.path, why=why)
            yield effect

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

    def _change(self, command: Command) -> None:
        target = command.words[1] if len(command.words) > 1 else None
        known = target is not None and not target.startswith(("-", "~"))
        folder = _join(self._inner, target) if known else None
        self._lost = self._lost or folder is None
        self._inner = folder
        if not command.nested and not command.conditional:
            self.cwd = folder

    def _place(self, path: str | None, command: Command) -> str | None:
        return _join(self._inner if command.nested else self.cwd, path) if path else path

    def _input(self, command: Command) -> str | None:
        """Text on standard input, where the script itself holds it."""
        if command.stdin is not None:
            return plain_heredoc(command)
        if command.piped_from is not None:
            before = self._commands[command.piped_from]
            return _printed(before, self._input(before))
        return None


def plain_heredoc(command: Command) -> str | None:
    """The here-document of a command as it is passed on; None where the shell expands in it."""
    body = command.stdin
    if body is None or not body.closed:
        return None
    return body.text if body.literal or not re.search(r"[$`\\]", body.text) else None


def _of(command: Command, given: str | None) -> Iterator[Effect]:
    yield from _redirected(command, given)
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
        yield _opaque(command, f"`{name}` can write files")


def _redirected(command: Command, given: str | None) -> Iterator[Effect]:
    for redirect in command.redirects:
        stream = _OUTPUT.match(redirect.operator)
        if not stream:
            continue
        if redirect.target is None:
            yield _computed(redirect.operator)
        elif not redirect.target.startswith("/dev/") and not redirect.target.isdigit():
            if redirect.target.startswith("~"):
                why = "output below a home folder, which the shell knows"
                yield Effect("opaque", None, names=redirect.target, why=why)
            text = _printed(command, given) if stream.group(1) in ("", "1", "&") else None
            yield _written(redirect.target, text, ">>" in redirect.operator)


def _computed(operator: str) -> Effect:
    """Output to a name that only the shell knew, which can be that of any file."""
    # `2>&$n` and the like name a stream.
    kind: Kind = "nothing" if operator.endswith("&") else "opaque"
    why = "output to a name that the shell computes"
    return Effect(kind, None, names="", everything=True, why=why)


def _written(path: str, text: str | None, append: bool) -> Effect:
    if text is None:
        return Effect("opaque", path, names=path, why="output of a program")
    return Effect("append" if append else "write", path, text)


def _printed(command: Command, given: str | None) -> str | None:
    """What a command prints, where that follows from its words alone."""
    words = command.words
    if any(redirect.operator.startswith("<") for redirect in command.redirects):
        return None
    if not words or command.name in ("true", ":"):
        return ""
    if command.name == "cat" and (len(words) == 1 or words[1:] == ("-",)):
        return given
    if command.name == "tee":
        return given
    rest = words[1:]
    if None in rest:
        return None
    if command.name == "echo":
        # Whether a pattern was quoted is not known any more; without quotes the shell fills it in.
        patterns = any(word and (re.search(r"[*?\[]", word) or word[0] == "~") for word in rest)
        return None if patterns else _echoed([word or "" for word in rest])
    if command.name == "printf" and len(rest) == 1 and "%" not in (rest[0] or ""):
        return _escaped(rest[0] or "")
    return None


def _echoed(words: list[str]) -> str | None:
    end = "\n"
    while words and re.fullmatch(r"-[neE]+", words[0]):
        if "e" in words[0]:
            return None
        end = "" if "n" in words[0] else end
        words = words[1:]
    return " ".join(words) + end


def _escaped(text: str) -> str | None:
    if re.search(r"\\[^nt\\\"']", text):
        return None
    table = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "'": "'"}
    return re.sub(r"\\(.)", lambda m: table[m.group(1)], text)


def _tee(command: Command, given: str | None) -> Iterator[Effect]:
    append = any(word in ("-a", "--append") for word in command.words)
    for word in command.words[1:]:
        if word is None:
            yield _opaque(command, "output to a name that the shell computes")
        elif not word.startswith("-") and not word.startswith("/dev/"):
            yield _written(word, given, append)


def _remove(command: Command, _: str | None) -> Iterator[Effect]:
    for word in command.words[1:]:
        if word is None or re.search(r"[*?\[]", word):
            yield _opaque(command, "files are deleted by a pattern")
        elif not word.startswith("-"):
            yield Effect("delete", word)


def _move(command: Command, _: str | None) -> Iterator[Effect]:
    words = [word for word in command.words[1:] if word is None or not word.startswith("-")]
    kind = "move" if command.name == "mv" else "copy"
    plain = len(words) == 2 and all(word and not re.search(r"[*?\[]", word) for word in words)
    if plain and words[0] and words[1]:
        yield Effect("move" if kind == "move" else "copy", words[0], to=words[1])
    else:
        yield _opaque(command, f"several files at once with {command.name}")


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


def _opaque(command: Command, why: str) -> Effect:
    words = [word or "" for word in command.words]
    body = command.stdin.text if command.stdin else ""
    everything = command.name in _writers()["everything"] or _git_writes(command)
    everything = everything or (_runs_on_found(command) and not _NAMED & set(words))
    hidden = None in command.words or any(_any_name(word) for word in words)
    if command.name in _writers()["interpreters"]:
        words = _without_script(words)
    return Effect(
        "opaque", None, names="\n".join([*words, body]), everything=everything or hidden, why=why
    )


def _without_script(words: list[str]) -> list[str]:
    """Words of an interpreter but the script that it runs: running a file is not writing it."""
    for number, word in enumerate(words[1:], start=1):
        if word in ("-c", "-e", "-m", "-"):
            return words
        if not word.startswith("-"):
            return [*words[:number], *words[number + 1 :]]
    return words


def _git_writes(command: Command) -> bool:
    verbs = [word for word in command.words[1:] if word and not word.startswith("-")]
    return command.name == "git" and bool(verbs) and verbs[0] in _writers()["git"]


def _any_name(word: str) -> bool:
    """Whether a pattern fits any file of its folder."""
    last = word.rpartition("/")[2]
    return "*" in last and not last.strip("*?.")


def _runs_on_found(command: Command) -> bool:
    """Whether a search does something to the files that it finds."""
    return bool(_ON_FOUND.get(command.name or "", set()) & set(command.words))


def _leaves_alone(command: Command) -> bool:
    words = [word or "" for word in command.words[1:]]
    if command.name == "git":
        return not _git_writes(command)
    option = _WRITING.get(command.name or "")
    if option is not None:
        return not any(re.match(option, word) for word in words)
    if command.name == "awk":
        return not any(">" in word or word == "inplace" for word in words)
    if command.name in _ON_FOUND:
        return not _runs_on_found(command)
    return command.name in _writers()["readers"]


@cache
def _writers() -> dict[str, frozenset[str]]:
    file = resources.files("benchwright.trajectory.files").joinpath("writers.toml")
    return {k: frozenset(v) for k, v in tomllib.loads(file.read_text(encoding="utf-8")).items()}


def _join(cwd: str | None, path: str | None) -> str | None:
    if path is None:
        return None
    if path.startswith(("/", "~")) or cwd is None:
        return posixpath.normpath(path)
    return posixpath.normpath(posixpath.join(cwd, path))
