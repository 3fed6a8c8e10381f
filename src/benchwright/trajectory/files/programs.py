"""What a program other than a plain file command can write: nothing, what is named, or anything.

Takes a parsed command; gives effects that put files in doubt. The lists are in `writers.toml`. A
program in none of them can write any file: nothing is exact behind it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources

from benchwright.trajectory.files.effects import Effect, Program
from benchwright.trajectory.shell.command import Command
from benchwright.trajectory.shell.words import Pattern

_ON_FOUND = {
    "find": {"-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprintf", "-fls"},
    "fd": {"-x", "-X", "--exec", "--exec-batch"},
}
"""Options by which a search changes files, or runs what may."""
_WRITING = {
    "sort": r"-\w*o|--o|--compress",
    "shuf": r"-\w*o|--o",
    "iconv": r"-\w*o|--o",
    "tree": r"-o",
    "less": r"-\w*[oO]",
    "rg": r"--pre",
    "xxd": r"-\w*r",
    "history": r"-[aw]",
    "time": r"-\w*o|--o",
    "pip": r"--l",
    "go": r"-[ow]",
    "nvidia-smi": r"-f|--filename",
    "mapfile": r"-\w*C",
    "readarray": r"-\w*C",
    "compgen": r"-\w*[CF]",
    "man": r"-\w*[PH]|--pager|--html",
    "awk": r"-i$|-f|inplace|.*>|.*system|.*(?<!\|)\|(?!\|)",
    "env": r"-C|--chdir|-S|--split",
}
"""Options by which a program that else only reads writes a file, or runs what may."""
_RUNNING = (
    "awk",
    "rg",
    "env",
    "command",
    "builtin",
    "time",
    "mapfile",
    "readarray",
    "compgen",
    "man",
)
"""Of these, those whose options run what may write any file."""
_ELSEWHERE = {
    "curl": r"-\w*[KJ]|--config|--remote-header",
    "wget": r"-\w*[ie]|--input|--config|--execute|--content-disposition",
}
"""Options by which what is written is named in a file, or by a server."""
_GIT_RUNS = re.compile(
    r"(?:filter|alias|include|includeif|credential|gpg|pager)\.|diff\.external|"
    r"(?:diff|merge)\..*\.(?:textconv|command|driver)|"
    r"core\.(?:fsmonitor|hookspath|pager|editor|sshcommand|askpass)",
    re.IGNORECASE,
)
"""Names of settings, before their values, by which git runs a program."""
_NAMED = {"-name", "-path", "-wholename"}
"""Options of `find` whose pattern tells which files."""
_OTHERS = {"!", "-not", "-o", "-or", ",", "-iname"}
"""Words of `find` with which it takes others too."""
_ASKED = {"--version", "--help", "-V", "-v", "-h"}
"""Words that, standing alone, have a program tell about itself."""
_CODE = {
    "python": ("-c",),
    "other": ("-e", "-p", "-E", "-r", "--eval", "--print", "-pe"),
    "bash": (),
    "sh": (),
}
"""Options that take code."""
_VALUES = {
    "python": ("-W", "-X"),
    "other": ("-r", "--require", "-I"),
    "bash": ("-O", "-o"),
    "sh": ("-o",),
}
"""Options of interpreters that take a word."""
_LOOKS = {"-l", "--list", "-t", "--test", "-v", "--verbose"}
"""Options of archives in Python by which they only look; `-v` makes another one tell more."""
_HOMES = re.compile(r"/(?:usr|bin|sbin|opt|nix|snap)/")
_ACTIVATES = re.compile(r"(?:^|/)(?:bin/activate|\.?bashrc|\.profile|\.bash_profile|nvm\.sh)$")


def reach(command: Command, given: str | None) -> Iterator[Effect]:
    """What the program of a command can have changed; given: its standard input, if known."""
    name = command.name or ""
    if name in ("source", "."):
        yield from _sourced(command)
    elif name == "eval":
        code = None if None in command.words else " ".join(w or "" for w in command.words[1:])
        yield _runs(command, Program("bash", code=code))
    elif _is_local(command.words[0] or ""):
        yield _runs(command, Program("", path=command.words[0]))
    elif len(command.words) == 2 and command.words[1] in _ASKED:
        return
    elif _language(name):
        yield from _interpreted(command, given)
    elif not _leaves_alone(command):
        yield _opaque(command, given)
    elif name == "git" and _sets_a_program(command):
        why = "git was told to run a program from now on"
        yield Effect("opaque", None, everything=True, lasting=True, why=why)


def _sets_a_program(command: Command) -> bool:
    """Whether git is told to run a program when it reads or adds files."""
    settings = command.words[2:-1] if "config" in command.words else ()
    return any(word is not None and _GIT_RUNS.match(word) for word in settings)


def sets_up_only(command: Command) -> bool:
    """Whether a sourced file is known to change variables only."""
    return len(command.words) == 2 and bool(_ACTIVATES.search(command.words[1] or ""))


def _is_local(word: str) -> bool:
    """Whether a program is run by its path, outside of the folders where systems keep theirs."""
    return "/" in word and not _HOMES.match(word)


def _language(name: str) -> str:
    if re.fullmatch(r"python[\d.]*", name):
        return "python"
    if name in ("bash", "sh", "zsh", "dash", "ksh"):
        return "bash" if name == "bash" else "sh"
    return "other" if name in _writers()["interpreters"] else ""


def _runs(command: Command, program: Program) -> Effect:
    others = (word or "" for word in command.words[1:] if word != program.path)
    words = "\n".join(others)  # running a file is not writing it
    why = f"`{command.name}` ran a program that can write files"
    return Effect("opaque", None, names=words, program=program, why=why)


def _sourced(command: Command) -> Iterator[Effect]:
    if not sets_up_only(command):
        path = command.words[1] if len(command.words) > 1 else None
        yield _runs(command, Program("bash", path=_plain(path)))


def _interpreted(command: Command, given: str | None) -> Iterator[Effect]:
    language = _language(command.name or "")
    rest = list(command.words[1:])
    while rest:
        word = rest.pop(0)
        if word in _CODE[language]:
            yield _runs(command, Program(language, code=_plain(rest[0] if rest else None)))
            return
        if word == "-m" and language == "python":
            yield from _module(command, rest)
            return
        if word in _VALUES[language]:
            rest = rest[1:]
        elif word is None or (word.startswith("-") and not re.match(r"-[nieapl]", word)):
            if word is None:
                yield _runs(command, Program(language))
                return
            if word == "-":
                break
        elif word.startswith("-"):
            if language != "python" and command.name not in ("node", "bash", "sh", "zsh", "dash"):
                yield _runs(command, Program(language))  # `perl -pi -e`
                return
        else:
            yield _runs(command, Program(language, path=_plain(word)))
            return
    yield _runs(command, Program(language, code=given))


def _module(command: Command, rest: list[str | None]) -> Iterator[Effect]:
    name, lists = rest[0] if rest else None, _writers()
    options = [word for word in rest[1:] if word is None or word.startswith("-")]
    looks = name in lists["python_archives"] and bool(options) and _LOOKS.issuperset(options)
    clears = name == "venv" and (None in options or "--clear" in options)
    if looks or (name in lists["python_modules"] and not clears):
        names = "\n".join(word or "" for word in rest[1:])
        why = f"`python -m {name}` can write files"
        own = Program("other", code=name)  # the log may hold a module of that name
        yield Effect("opaque", None, names=names, program=own, why=why)
    else:
        yield _runs(command, Program("python"))


def _plain(word: str | None) -> str | None:
    return None if isinstance(word, Pattern) else word


def _opaque(command: Command, given: str | None) -> Effect:
    words = [word or "" for word in command.words]
    body = command.stdin.text if command.stdin else ""
    found = _runs_on_found(command)
    by_name = bool(_NAMED & set(words)) and not _OTHERS & set(words)
    by_name = by_name and not any(_language(word) for word in words)
    everything = not _names_what_it_writes(command) if not found else not by_name
    names = "\n".join([*words, body, given or ""])
    return Effect(
        "opaque", None, names=names, everything=everything or hidden(command),
        why=f"`{command.name}` can write files",
    )  # fmt: skip


def hidden(command: Command) -> bool:
    """Whether a word of the command can be any name."""
    return None in command.words or any(
        isinstance(word, Pattern) and not word.rpartition("/")[2].strip("*?.")
        for word in command.words
    )


def _names_what_it_writes(command: Command) -> bool:
    """Whether the program writes only files that its words name, as far as its manual says."""
    name = command.name or ""
    lists = _writers()
    if name == "git":
        return False
    if name == "gh":
        return not {"checkout", "clone", "download", "sync"} & set(command.words)
    if name in ("pip", "pip3"):
        return not any(word in (".", "-e", "--editable") for word in command.words)
    if name == "sed":
        return _sed_scripts_are_plain(command)
    elsewhere = _ELSEWHERE.get(name)
    if elsewhere and any(re.match(elsewhere, word) for word in command.words if word):
        return False
    reads = name in lists["readers"] and name not in _RUNNING
    return name in lists["named"] or reads


def _runs_on_found(command: Command) -> bool:
    """Whether a search does something to the files that it finds."""
    return bool(_ON_FOUND.get(command.name or "", set()) & set(command.words))


def _leaves_alone(command: Command) -> bool:
    words = [word or "" for word in command.words[1:]]
    if command.name == "git":
        return _git_reads(command)
    if command.name == "sed":
        inplace = any(re.match(r"-\w*[is]|--in-place", word) for word in words)
        return not inplace and _sed_scripts_are_plain(command)
    option = _WRITING.get(command.name or "")
    if option is not None and any(re.match(option, word, re.DOTALL) for word in words):
        return False
    if command.name in ("uniq", "xxd"):
        return sum(word == "-" or not word.startswith("-") for word in words) < 2
    verb = next((word for word in words if not word.startswith("-")), "")
    known = command.name in _writers()["readers"] or f"{command.name} {verb}" in _writers()["verbs"]
    return known and not _runs_on_found(command)


def _git_reads(command: Command) -> bool:
    before = ("", *command.words)
    verbs = [
        word
        for word, option in zip(command.words[1:], before[1:], strict=False)
        if word and not word.startswith("-") and option not in ("-C", "-c")
    ]
    words = [word or "" for word in command.words]
    running = ("--output", "-O", "--exec", "--ext")
    if "-c" in words or any(word.startswith(running) for word in words):
        return False
    return not verbs or verbs[0] in _writers()["git"]


_ADDRESS = r"(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*+/I?)"
_SED_COMMAND = (
    rf"[ \t]*+(?:{_ADDRESS}(?:,[+~]?{_ADDRESS})?[ \t]*+!?)?[ \t]*+"
    r"(?:[pdqQ=nNhHgGxDPl{}]\d*|[aic](?:[ \t]|\\\n|\\)(?:[^\n\\]|\\(?:.|\n))*+|"
    r"[sy](?:/(?:[^/\\\n]|\\.)*+/(?:[^/\\\n]|\\.)*+/|\|(?:[^|\\\n]|\\.)*+\|(?:[^|\\\n]|\\.)*+\||"
    r"#(?:[^#\\\n]|\\.)*+#(?:[^#\\\n]|\\.)*+#|,(?:[^,\\\n]|\\.)*+,(?:[^,\\\n]|\\.)*+,)"
    r"[gpiIM\d]*)?[ \t]*+"
)
_PLAIN_SED = re.compile(rf"{_SED_COMMAND}(?:[;\n}}]{_SED_COMMAND})*")


def _sed_scripts_are_plain(command: Command) -> bool:
    """Whether its scripts are made of commands that write no other file and run nothing."""
    scripts, rest, given = [], list(command.words[1:]), False
    while rest:
        word = rest.pop(0)
        if word is None or re.match(r"-(?!i)\w*f|--(?:file|expression)", word):
            return False
        if re.fullmatch(r"-[nEri]*e", word):
            scripts.append(rest.pop(0) if rest else None)
            given = True
        elif not word.startswith("-") and not given:
            scripts.append(word)
            given = True
    return all(script is not None and _PLAIN_SED.fullmatch(script) for script in scripts)


@cache
def _writers() -> dict[str, frozenset[str]]:
    file = resources.files("benchwright.trajectory.files").joinpath("writers.toml")
    return {k: frozenset(v) for k, v in tomllib.loads(file.read_text(encoding="utf-8")).items()}
