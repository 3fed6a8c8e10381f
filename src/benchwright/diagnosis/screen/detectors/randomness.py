"""Draws without a seed in code whose results the run uses. facts: arft 9 (C.4)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from benchwright.diagnosis.screen.draws import Draw, read_draws
from benchwright.diagnosis.screen.failures import failed, programs
from benchwright.diagnosis.screen.finding import Found
from benchwright.diagnosis.screen.quantities import quantities
from benchwright.diagnosis.screen.report import sayings
from benchwright.diagnosis.screen.story import Act, Story
from benchwright.trajectory.evidence import Evidence

_DATA = (".json", ".csv", ".tsv", ".npy", ".npz", ".parquet", ".pkl")
_SHELL = re.compile(
    r"\bshuf\b(?![^|;&\n]*--random-source)|\bsort -R\b(?![^|;&\n]*--random-source)|"
    r"\bawk\b(?:(?!srand\(\s*\d)[^|\n])*\brand\(\)(?!.*srand\(\s*\d)|\$\{?RANDOM\b(?!.*\bRANDOM=)"
)
_C_DRAWS = re.compile(r"\brandom_device\b|\bsrand\(\s*time|\bMath\.random\(\)|\barc4random")
_R_DRAWS = re.compile(
    r"\b(?:rnorm|runif|rbinom|rpois|rexp|sample|rgamma|rbeta|kmeans|randomForest)\s*\("
)
_R_SEED = re.compile(r"\bset\.seed\s*\(")
_JL_DRAWS = re.compile(r"\b(?:rand|randn|shuffle!?|randperm|sample)\s*\(")
_JL_SEED = re.compile(
    r"\bRandom\.seed!|\bMersenneTwister\(\s*\w|\bXoshiro\(\s*\w|\bStableRNG\(\s*\w|\bseed!\("
)


def unseeded_randomness(story: Story) -> Iterator[Found]:
    """One finding for each program."""
    yield from _of_shell(story)
    seen: set[str] = set()
    for act in reversed(list(story.calls("shell", "python"))):
        if failed(act) or act.result is None or act.result.status == "refused":
            continue
        for ran in programs(act):
            name = ran.key if ran.text is None else f"inline {act.number}"
            if name in seen:
                continue
            seen.add(name)
            text = ran.text if ran.text is not None else _text(story, ran.key)
            if not text:
                continue
            draw = _unseeded(story, ran.key, text)
            if draw is not None and draw.stream == "option" and "seed" in act.command:
                continue
            if draw is not None and _used(story, ran.key, ran.text is not None, act):
                label = ran.key if ran.text is None else "inline code"
                yield Found(
                    f"{label} draws without a seed ({draw.what}) and its results are used",
                    tuple(_places(story, act, ran.key, draw)),
                )


def _of_shell(story: Story) -> Iterator[Found]:
    """Commands that draw by themselves and keep what they drew."""
    for act in story.calls("shell"):
        found = _SHELL.search(_bare(act))
        kept = re.search(r">\s*(?!/tmp|/dev|&)\S", act.command) is not None
        if found and not failed(act) and (kept or _used(story, "", True, act)):
            yield Found(
                f"a command draws without a seed ({found.group().strip()})",
                (story.at(act, found.group().strip()),),
            )
            return


def _bare(act: Act) -> str:
    """The command without its here-documents: their text belongs to other programs."""
    return re.sub(
        r"<<-?\s*['\"]?(\w+)['\"]?.*?^\1$", "", act.command, flags=re.DOTALL | re.MULTILINE
    )


def _text(story: Story, name: str) -> str | None:
    for path in story.files.handed_in():
        if posixpath.basename(path) == name:
            text = story.files.text(path)
            if text is not None:
                return text
    return story.files.from_log(name)


def _unseeded(story: Story, key: str, text: str) -> Draw | None:
    if key.endswith((".R", ".r")):
        found = _R_DRAWS.search(text)
        return None if found is None or _R_SEED.search(text) else _plain(text, found)
    if key.endswith(".jl"):
        found = _JL_DRAWS.search(text)
        return None if found is None or _JL_SEED.search(text) else _plain(text, found)
    if key.endswith((".cpp", ".cc", ".c", ".js", ".ts")):
        found = _C_DRAWS.search(text)
        return _plain(text, found) if found else None
    read = read_draws(text)
    if read is None:
        return None
    seeds = set(read.seeds)
    for module in read.imports:
        other = _text(story, f"{module}.py")
        inner = read_draws(other) if other else None
        seeds |= set(inner.seeds) if inner else set()
    return next((d for d in read.draws if d.stream not in seeds and "all" not in seeds), None)


def _plain(text: str, found: re.Match[str]) -> Draw:
    return Draw(found.group().rstrip("( "), "all", text.count("\n", 0, found.start()) + 1)


def _used(story: Story, key: str, inline: bool, act: Act) -> bool:
    """Whether the report has a number that this run printed, or names the program or its files."""
    printed = {q.text for q in quantities(act.output) if q.digits >= 2 and q.decimal}
    rounded = {
        f"{q.value:.{n}f}" for q in quantities(act.output) if q.decimal for n in (1, 2, 3, 4)
    }
    if not inline and any(
        name in text for name in _data_left(story) for text in [_text(story, key) or ""]
    ):
        return True
    writes = [e.path for e in act.effects if e.path and e.kind not in ("seen", "nothing")]
    for said in sayings(story):
        if not inline and key in said.text:
            return True
        if any(
            q.decimal and q.digits >= 2 and q.text in printed | rounded
            for q in quantities(said.text)
        ):
            return True
        if any(posixpath.basename(path) in said.text for path in writes):
            return True
    later = [
        a for a in story.acts[act.number + 1 :] if a.is_a("shell", "python") and any(programs(a))
    ]
    return not inline and not later and not any(True for _ in sayings(story))


def _places(story: Story, act: Act, key: str, draw: Draw) -> Iterator[Evidence]:
    text = _text(story, key) or ""
    lines = text.split("\n")
    quote = lines[draw.line - 1].strip() if 0 < draw.line <= len(lines) else None
    for path in story.files.left:
        if posixpath.basename(path) == key:
            yield story.in_file(path, quote)
    writers = story.files.writers(key)
    if writers and quote and quote in story.acts[writers[-1]].typed:
        yield story.at(story.acts[writers[-1]], quote)
    yield story.at(act)


def _data_left(story: Story) -> list[str]:
    """Names of the data files that were handed in and that the agent did not type itself."""
    found = [p for p in story.files.handed_in() if p.lower().endswith(_DATA)]
    typed = {p for p in found if any(story.acts[n].is_a("write") for n in story.files.writers(p))}
    return [posixpath.basename(p) for p in found if p not in typed]
