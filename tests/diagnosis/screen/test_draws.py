"""Which sources draw random numbers, and whose seed governs them."""

from __future__ import annotations

import pytest

from benchwright.diagnosis.screen.draws import read_draws

NP = "import numpy as np\n"
SEEDED = {
    "a global seed": NP + "np.random.seed(3)\nprint(np.random.normal())",
    "a generator with a seed": NP + "g = np.random.default_rng(3)\nprint(g.normal())",
    "a seed from the configuration": NP + "g = np.random.default_rng(CFG['seed'])\ng.normal()",
    "an estimator with a state": (
        "from sklearn.ensemble import RandomForestClassifier\n"
        "print(RandomForestClassifier(random_state=0))"
    ),
    "a split that does not shuffle": (
        "from sklearn.model_selection import train_test_split\ntrain_test_split(x, shuffle=False)"
    ),
    "folds that do not shuffle": "from sklearn.model_selection import KFold\nKFold(5)",
    "torch with a seed": "import torch\ntorch.manual_seed(0)\nprint(torch.randn(3))",
    "a pause of random length": "import random, time\ntime.sleep(random.random())",
    "a name of random letters": (
        "import random, string\nn = ''.join(random.choices(string.ascii_letters, k=8))"
    ),
    "a function that nothing calls": NP + "def f():\n    return np.random.normal()\nprint(1)",
    "KMeans from given centres": "from sklearn.cluster import KMeans\nKMeans(2, init=c, n_init=1)",
}
UNSEEDED = {
    "the global stream of numpy": (NP + "print(np.random.normal())", "numpy"),
    "another stream is seeded": (
        "import random\nimport numpy as np\nrandom.seed(0)\nprint(np.random.rand())", "numpy",
    ),
    "a generator without a seed": (NP + "g = np.random.default_rng()\ng.normal()", "own"),
    "a seed of None": (NP + "g = np.random.default_rng(None)\ng.normal()", "own"),
    "a seed that is the time": (
        "import time\n" + NP + "np.random.seed(int(time.time()))\nnp.random.rand()", "numpy",
    ),
    "an estimator without a state": (
        "from sklearn.ensemble import RandomForestClassifier\nprint(RandomForestClassifier(9))",
        "numpy",
    ),
    "layers of a network": ("import torch\nimport torch.nn as nn\nm = nn.Linear(2, 1)\nm", "torch"),
    "rows of a frame": ("import pandas as pd\nprint(df.sample(n=5))", "numpy"),
    "a function of its own that seeds something else": (
        "import random\n" + NP + "def set_seed(s):\n    random.seed(s)\nset_seed(1)\n"
        "print(np.random.rand())",
        "numpy",
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", SEEDED.values(), ids=SEEDED)
def test_nothing_is_drawn_that_has_no_seed(text: str) -> None:
    read = read_draws(text)
    assert read is not None
    assert [d for d in read.draws if d.stream not in read.seeds and "all" not in read.seeds] == []


@pytest.mark.parametrize(("text", "stream"), UNSEEDED.values(), ids=UNSEEDED)
def test_a_draw_without_a_seed_is_seen_with_its_stream(text: str, stream: str) -> None:
    read = read_draws(text)
    assert read is not None
    open_ones = [d.stream for d in read.draws if d.stream not in read.seeds]
    assert stream in open_ones and "all" not in read.seeds


def test_what_does_not_parse_draws_nothing() -> None:
    assert read_draws("def f(:") is None
