"""Settings of a script by which plain programs do more than their words say."""

from __future__ import annotations

import re
from collections.abc import Sequence

_UPSET = re.compile(
    r"\b(?:BASH_ENV|PYTHONPATH|PYTHONSTARTUP|LD_PRELOAD|NODE_OPTIONS|PERL5OPT|RUBYOPT|GIT_TRACE\w*|"
    r"GIT_EXTERNAL_DIFF|GIT_CONFIG\w*|GIT_SSH\w*)=|\bexpand_aliases\b|\b(?:ba|z|k|da)?sh\s+-\w*i|"
    r"(?<![\w$])PATH=(?!\$|/|~|\"\$|\"/)|(?<![\w$])PATH=\S*(?:\$\{?PWD|\$\(pwd)"
)
"""Variables and options by which plain programs run other code, or write what no word names."""


def upsets(words: Sequence[str]) -> bool:
    """Whether a script, or one of the words of a call, has such a setting."""
    return any(_UPSET.search(text) for text in (*words, " ".join(words)))
