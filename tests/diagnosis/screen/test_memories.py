"""Which constants of a program are memories of single samples."""

from __future__ import annotations

import ast
import base64
import json
import zlib

import pytest

from benchwright.diagnosis.screen.memories import label_file, memories

PACKED = base64.b64encode(
    zlib.compress(json.dumps([[12.34567 + n, "ab"[n % 2]] for n in range(8)]).encode())
).decode()
MEMORIES = {
    "names of samples": "T = {'s001': 'a', 's002': 'b', 's003': 'a', 's004': 'b'}",
    "digests": "T = {'3d36156408': 'a', 'd8f1e701dd': 'b', '73ab4fd227': 'b', 'dfc3bcc1dc': 'a'}",
    "exact readings": "T = {1.2345: 'a', 2.3456: 'b', 3.4567: 'a', 4.5678: 'b'}",
    "pairs": "T = [('a', [1.1, 2.2]), ('b', [3.3, 4.4]), ('a', [5.5, 6.6]), ('b', [7.7, 8.8])]",
    "lines of a text": "T = '''\n8a460a04 a\n6e63223d b\nd478d81b a\n3c003a77 b\n'''",
    "equality with readings": (
        "def f(x):\n" + "".join(f"    if x == 1.{n}2345: return '{n}'\n" for n in range(2, 6))
    ),
    "a packed constant": f"import base64\nT = base64.b64decode('{PACKED}')",
    "a match on names": (
        "match s:\n    case 'id-001' | 'id-002': r = 1\n    case 'id-003' | 'id-004': r = 2\n"
    ),
}
NOT = {
    "classes and their indices": "T = {'a': 0, 'b': 1, 'c': 2, 'd': 3, 'e': 4}",
    "physical constants": "T = {'inner': 5.4152, 'outer': 3.5848, 'ball': 4.7135, 'cage': 0.3981}",
    "a calibration": "T = {0.25: 0.247, 0.5: 0.493, 0.75: 0.751, 1.5: 1.497}",
    "signs of change": "T = {(1, 0): 'a', (0, 1): 'b', (-1, 0): 'a', (0, -1): 'b'}",
    "thresholds of a tree": (
        "def f(x):\n    if x <= 0.92071: return 'a'\n    if x <= 1.86961: return 'b'\n"
        "    if x <= 2.7261: return 'a'\n    return 'b'"
    ),
    "prototypes of classes": "T = {'a': [0.11, 0.22], 'b': [0.33, 0.44], 'c': [0.55, 0.66]}",
}


@pytest.mark.parametrize("text", MEMORIES.values(), ids=MEMORIES)
def test_a_memory_is_found(text: str) -> None:
    assert list(memories(ast.parse(text)))


@pytest.mark.parametrize("text", NOT.values(), ids=NOT)
def test_what_is_about_classes_is_no_memory(text: str) -> None:
    assert list(memories(ast.parse(text))) == []


def test_a_file_of_labels_is_told_from_a_file_of_weights() -> None:
    assert label_file(json.dumps({f"s{n:03}": "ab"[n % 2] for n in range(6)}))
    assert label_file("id,label\n" + "".join(f"s{n:03},{'ab'[n % 2]}\n" for n in range(6)))
    assert not label_file(json.dumps({f"w{n}": 0.1 * n for n in range(6)}))
    assert not label_file("x,y\n1.0,2.0\n2.0,2.5\n3.0,2.0\n4.0,1.0\n")
