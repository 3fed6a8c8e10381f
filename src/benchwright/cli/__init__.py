"""The command line: one module per verb, each a thin shell around one documented function.

Takes arguments; gives the answer on stdout and progress on stderr. Exit codes: 0 done, 1 the
command's own question was answered no, 2 unusable input, in one line. `--help` imports nothing
heavy. Knows every folder above; does not know what is inside them.
"""

from __future__ import annotations

import errno
import gc
import io
import os
import signal
import sys
from typing import Any

import typer
from typer.core import TyperGroup
from typer.exceptions import Abort, Exit, TyperException

from benchwright.cli.verbs import register
from benchwright.errors import BenchwrightError


class _Interrupted(Exception):
    """A verb was ended by a signal; typer would forget which."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class _Verbs(TyperGroup):
    """Hands an interruption on with the number of its signal."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            number = stop.args[0] if stop.args else signal.SIGINT
            raise _Interrupted(int(number)) from stop


app = typer.Typer(
    cls=_Verbs,
    name="benchwright",
    help="Make, run, score and diagnose benchmarks for LLM agents on analytical work.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
register(app)


def main(arguments: list[str] | None = None) -> None:
    """Entry point of `benchwright`; turns every expected failure into one line and a code."""
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    code = exit_code(sys.argv[1:] if arguments is None else arguments)
    # Collecting the garbage of a process that ends costs more than a second after a run.
    gc.freeze()
    sys.exit(code)


def _open_what_is_closed() -> None:
    """Streams that the caller closed (`>&-`) lead nowhere; else files of ours would become them."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for the process
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for the process


def exit_code(arguments: list[str]) -> int:
    """The exit code of one command line."""
    try:
        code = app(args=arguments, prog_name="benchwright", standalone_mode=False)
    except Exit as stop:
        return stop.exit_code
    except _Interrupted as stop:
        return _leave(128 + stop.number)
    except TyperException as error:
        said = _said(error)
        # Without any word the help was printed, and says all of it.
        return _refuse(f"{said} Try: benchwright --help") if said.strip() else 2
    except BenchwrightError as error:
        return _refuse(str(error))
    except (KeyboardInterrupt, Abort):
        return _leave(128 + signal.SIGINT)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except SystemExit as stop:  # how the libraries below end when nobody reads on
        if isinstance(stop.__context__, BrokenPipeError):
            return 0
        raise
    except OSError as error:
        return _refuse(_unwritten(error))
    return code if isinstance(code, int) else 0


def _leave(code: int) -> int:
    """The code of an interruption; one more signal ends at once what still waits for a thread."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(code))
    return _refuse("interrupted; the same line again continues.", code)


def _said(error: TyperException) -> str:
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    return str(message)


_ROOM = {
    errno.ENOSPC: "Make room there, or choose another folder.",
    errno.EDQUOT: "Make room there, or choose another folder.",
    errno.EFBIG: "Allow larger files (ulimit -f), or choose another folder.",
}


def _unwritten(error: OSError) -> str:
    """What the system refused, where that is known, and what can be done."""
    why = error.strerror or error
    known = error.filename is not None
    said = f"there: {error.filename!r} ({why})" if known else f"a file: {why}"
    hint = _ROOM.get(error.errno or 0, "Choose a folder that exists and can be written.")
    return f"cannot read or write {said}. {hint}"


def _refuse(line: str, code: int = 2) -> int:
    print(f"benchwright: {' '.join(line.split())}", file=sys.stderr)
    return code
