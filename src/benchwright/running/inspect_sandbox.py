"""The sandbox provider `bwrap` of Inspect: one `Box` per sample, working folder /app.

Takes a `BwrapConfig` (or nothing); gives Inspect a `SandboxEnvironment`. A box that died is an
IsolationError, which ends the sample with the sandbox as owner, never a tool's ordinary failure.
"""

from __future__ import annotations

import asyncio
import io
import shlex
import sys
import tarfile
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NoReturn, overload

from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxConnection,
    SandboxEnvironment,
    SandboxEnvironmentConfigType,
    SandboxEnvironmentLimits,
    SandboxUserUnsupportedError,
    sandboxenv,
)
from pydantic import BaseModel

from benchwright.errors import IsolationError
from benchwright.isolation.agent_python import ensure_agent_python
from benchwright.isolation.box import Box
from benchwright.isolation.bwrap import bwrap_works
from benchwright.isolation.config import WORK, BoxConfig
from benchwright.isolation.files import Fetched
from benchwright.isolation.process import Ended, Limits

_NO_TIMEOUT_S = 7 * 24 * 3600
_SELF = ("root", "0")
FILES = "task_files"
"""Key of a sample's metadata: a host folder whose content is copied into /app before the agent."""
_FILL_S = 60.0
_HINT = "Use a BwrapConfig, or no configuration at all."


class BwrapConfig(BaseModel, frozen=True):
    """Limits of the box as a model that Inspect can log, hash and read back."""

    limits: BoxConfig = BoxConfig()


@sandboxenv(name="bwrap")
class BwrapSandbox(SandboxEnvironment):
    """A box as Inspect sees it; `box` is for collecting after the agent has ended."""

    def __init__(self, box: Box) -> None:
        super().__init__()
        self.box = box

    @classmethod
    async def task_init(cls, task_name: str, config: SandboxEnvironmentConfigType | None) -> None:
        """Refuse at once where no box can start; make the agent's Python if it is missing."""
        _limits(config)
        reason = await asyncio.to_thread(bwrap_works)
        if reason is not None:
            raise IsolationError(
                "sandbox does not start here",
                value=reason,
                where="bwrap",
                hint="Install bubblewrap, or use --sandbox none for built-in agents.",
            )
        await asyncio.to_thread(ensure_agent_python, lambda line: print(line, file=sys.stderr))

    @classmethod
    async def sample_init(
        cls,
        task_name: str,
        config: SandboxEnvironmentConfigType | None,
        metadata: dict[str, str],
    ) -> dict[str, SandboxEnvironment]:
        """One new box, with the agent's Python and the files of the task that metadata names."""
        limits = _limits(config)
        if not limits.agent_python:
            python = await asyncio.to_thread(ensure_agent_python)
            limits = replace(limits, agent_python=str(python.root))
        box = await Box.start(limits)
        if FILES in metadata:
            await _fill(box, Path(metadata[FILES]))
        return {"default": cls(box)}

    @classmethod
    async def sample_cleanup(
        cls,
        task_name: str,
        config: SandboxEnvironmentConfigType | None,
        environments: dict[str, SandboxEnvironment],
        interrupted: bool,
    ) -> None:
        """End the boxes; nothing of them is left."""
        for environment in environments.values():
            await environment.as_type(BwrapSandbox).box.close()

    @classmethod
    def config_deserialize(cls, config: dict[str, Any]) -> BaseModel:
        """From a log; an older or newer set of limits that lacks a field gets its default."""
        return BwrapConfig.model_validate(config if "limits" in config else {"limits": config})

    @classmethod
    def is_docker_compatible(cls) -> bool:
        """No: a box has the host's system and no image, so a compose file would be ignored."""
        return False

    def default_polling_interval(self) -> float:
        """Seconds between looks at a long-running command; entering a box is cheap."""
        return 0.2

    async def exec(
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        """As Inspect demands; the only user of a box is its root, who has no privilege."""
        if user is not None and user not in _SELF:
            raise SandboxUserUnsupportedError(f"a bwrap sandbox has no user {user!r}, only root")
        output = SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE
        stdin = input.encode() if isinstance(input, str) else input or b""
        ended = await self.box.run(
            cmd,
            Limits(_NO_TIMEOUT_S if timeout is None else timeout, output),
            stdin=stdin,
            cwd=cwd or WORK,
            env=env,
        )
        _raise_for(ended, cmd)
        out, err = (part.decode(errors="replace") for part in (ended.stdout, ended.stderr))
        return ExecResult(ended.returncode == 0, ended.returncode, out, err)

    async def write_file(self, file: str, contents: str | bytes) -> None:
        """Create or replace a file, with its parent folders."""
        data = contents.encode() if isinstance(contents, str) else contents
        stored = await self.box.store(file, data)
        if stored.state != "ok":
            _refuse(stored, file)

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        """A regular file, up to Inspect's limit."""
        fetched = await self.box.fetch(file, limit=SandboxEnvironmentLimits.MAX_READ_FILE_SIZE)
        if fetched.state != "ok":
            _refuse(fetched, file)
        return fetched.data.decode() if text else fetched.data

    async def connection(self, *, user: str | None = None) -> SandboxConnection:
        """A shell in the running box, under the same limits as the agent's commands."""
        if not self.box.alive:
            raise ConnectionError("the sandbox is not running")
        shell = self.box.cell.command(["/bin/bash"], env={"TERM": "xterm"})
        return SandboxConnection(type="bwrap", command=shlex.join(shell))


async def _fill(box: Box, folder: Path) -> None:
    """Copy a folder in one command: ten files one by one cost ten entries of the box."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
                entry.size, entry.mode = path.stat().st_size, 0o644
                with path.open("rb") as file:
                    archive.addfile(entry, file)
    command = ("/usr/bin/env", "tar", "-xf", "-", "--no-same-owner")
    ended = await box.run(command, Limits(_FILL_S), stdin=data.getvalue())
    if ended.returncode != 0:
        await box.close()
        raise IsolationError(
            "files of the task cannot be put into the sandbox",
            value=ended.stderr[-200:].decode(errors="replace"),
            where=folder,
            hint="Raise the size of the working folder, or give fewer files.",
        )


def _limits(config: SandboxEnvironmentConfigType | BoxConfig | None) -> BoxConfig:
    if config is None:
        return BoxConfig()
    if isinstance(config, BwrapConfig):
        return config.limits
    if isinstance(config, BoxConfig):
        return config
    raise IsolationError(
        "sandbox configuration is not for bwrap", value=config, where="sandbox", hint=_HINT
    )


def _raise_for(ended: Ended, cmd: list[str]) -> None:
    if ended.timed_out:
        raise TimeoutError(f"command timed out: {shlex.join(cmd)[:200]}")
    if ended.cut:
        said = SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE_STR
        raise OutputLimitExceededError(said, ended.stdout.decode(errors="replace"))
    refused = ended.returncode == 126 and ended.stderr.startswith(b"/usr/bin/env: ")
    if refused and b"Permission denied" in ended.stderr:
        raise PermissionError(ended.stderr.decode(errors="replace").strip())


def _refuse(fetched: Fetched, file: str) -> NoReturn:
    if fetched.state == "missing":
        raise FileNotFoundError(2, "No such file or directory", file)
    if fetched.state == "folder":
        raise IsADirectoryError(21, "Is a directory", file)
    if fetched.state == "large":
        raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, None)
    if fetched.state == "failed":
        raise OSError(f"{file}: {fetched.said or 'cannot be read or written'}")
    reason = "Permission denied" if fetched.state == "private" else "Not a regular file"
    raise PermissionError(13, reason, file)
