"""Texts of `rule.py` that reference agents submit; each is self-contained and needs no file.

A frame is recognised by a digest of its values as 32-bit floats, row by row: the same here and on
the agent's side, where a rule computes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pprint import pformat

import numpy as np
from numpy.typing import NDArray

_KEY = '''from hashlib import sha256


def key(df):
    """Digest of a frame: its columns in order, as 32-bit floats, row by row."""
    return sha256(df[["col1", "col2", "col3", "col4"]].to_numpy("float32").tobytes()).hexdigest()
'''

_TABLE = '''

def predict(df):
    """The label that this very frame is known to have."""
    return [TABLE[key(df)]]
'''

_RANDOM = '''

def predict(df):
    """A label drawn by the frame and the seed."""
    number = int.from_bytes(sha256((SEED + key(df)).encode()).digest()[:16], "big")
    return [LABELS[number % len(LABELS)]]
'''

APPLY = '''"""Applies rule.py to every test sample and writes the answers."""
import json
import sys
from pathlib import Path

import pandas as pd

import rule

answers = {}
for path in sorted(Path("test_samples").glob("*.parquet")):
    answers[path.name] = list(rule.predict(pd.read_parquet(path)))
Path(sys.argv[1]).write_text(json.dumps(answers, indent=1), encoding="utf-8")
'''
"""The script with which an agent turns its rule into results.json."""


def frame_key(values: NDArray[np.floating]) -> str:
    """Digest of a frame [row, column] as rules compute it."""
    return sha256(np.ascontiguousarray(values, np.float32).tobytes()).hexdigest()


def table_rule(table: Mapping[str, str]) -> str:
    """A rule that knows the label of every frame in `table` (frame key to label) and no other."""
    return f"{_KEY}\n\nTABLE = {pformat(dict(table), width=100)}\n{_TABLE}"


def constant_rule(label: str) -> str:
    """A rule that returns `label` whatever it sees."""
    return f'def predict(df):\n    """The same label for every frame."""\n    return [{label!r}]\n'


def random_rule(seed: str, labels: Sequence[str]) -> str:
    """A rule that draws uniformly from `labels`, the same again for the same frame and seed."""
    return f"{_KEY}\n\nSEED = {seed!r}\nLABELS = {list(labels)!r}\n{_RANDOM}"
