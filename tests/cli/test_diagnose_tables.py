"""`diagnose tables` and `diagnose agree` as a person meets them."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from benchwright.diagnosis.cards.key import Key, Keyed, write_key
from benchwright.diagnosis.labels.file import write_labels
from benchwright.diagnosis.labels.model import Labels, Subject
from benchwright.diagnosis.taxonomy import shipped
from benchwright.trajectory.evidence import Evidence
from tests.cli.commands import benchwright, refused_fully, tree
from tests.diagnosis.agreement.planted import human, judge


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Labels of two raters of 40 trajectories, by rater; the last five of the judge are not in."""
    root = tmp_path_factory.mktemp("labels")
    for one in [*human(), *judge()[:35]]:
        kind = "open" if one.subject.task < "t5" else "target"
        write_labels(root / one.rater, replace(one, subject=replace(one.subject, kind=kind)))
    return root


def test_tables_say_what_is_missing_and_set_systems_apart(folder: Path) -> None:
    said = benchwright("diagnose", "tables", folder, "--rater", "judge")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(
        "labels by judge, taxonomy arft-45: 40 planned, 35 labelled, 5 missing\n"
    )
    for title in ("Load by system", "Stage by pillar", "no agreement of raters", "R2*"):
        assert title in said.out
    assert max(map(len, said.out.splitlines())) <= 160


def test_cards_that_nobody_labelled_are_missing(folder: Path, tmp_path: Path) -> None:
    subjects = [Subject("s0 t0", "t0", "s0"), Subject("s9 t0", "t0", "s9")]
    cards = {str(n): Keyed("run", subject, {}) for n, subject in enumerate(subjects, 1)}
    write_key(tmp_path, Key("arft-45", 0, cards, {"Ada": (1, 2)}))
    words = ("diagnose", "tables", folder / "human", "--planned", tmp_path, "--json")
    told = json.loads(benchwright(*words).out)
    assert (told["planned"], told["labelled"], told["missing"]) == (41, 40, ["s9 t0"])


def test_a_folder_takes_every_table_by_all_three_and_json_has_the_figures(
    folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    words = ("diagnose", "tables", folder / "human", "--out", out, "--json")
    told = json.loads(benchwright(*words).out)
    assert told["format"] == "benchwright.diagnose.tables/1"
    assert (told["planned"], told["labelled"], told["missing"]) == (40, 40, [])
    files = {path.name for path in out.iterdir()}
    assert {"tables.md", "tables.json", "rates-by-kind.csv", "rates-by-domain.csv"} <= files
    with (out / "rates-by-kind.csv").open(newline="") as file:
        rows = {(row["kind"], row["pattern"]): row for row in csv.DictReader(file)}
    assert float(rows["all", "F.4"]["share"]) == 30 / 40
    assert int(rows["open", "A.1"]["hit"]) == 8
    text = (out / "tables.md").read_text()
    assert "| X.8 |" in text and "| missing |" in text, "no pattern falls off the end"
    before = tree(out)
    assert benchwright(*words).code == 0
    assert tree(out) == before


def test_published_figures_are_recomputed_and_the_mismatch_is_told() -> None:
    said = benchwright("diagnose", "tables", "--published")
    assert said.code == 0
    (line,) = [x for x in said.out.splitlines() if "F.2 is among the five" in x]
    assert "rank 7 at best" in line and "mismatch" in line
    assert re.search(r"0\.85 +three experts", said.out)
    told = json.loads(benchwright("diagnose", "tables", "--published", "--json").out)
    assert {one["outcome"] for one in told["statements"]} == {
        "agrees", "mismatch", "open", "derived"}  # fmt: skip


def test_agreement_of_planted_raters_stands_beside_the_published(folder: Path) -> None:
    said = benchwright("diagnose", "agree", folder)
    assert (said.code, said.err) == (0, "")
    assert "kappa human and judge" in said.out and "0.85" in said.out
    assert "A.1*" in said.out and "E.4" not in said.out
    beside = benchwright("diagnose", "agree", folder, "--against", "human", "--json")
    told = json.loads(beside.out)
    (found,) = told["found"]
    assert (found["rater"], found["shared"], found["only_truth"]) == ("judge", 35, 5)
    same = next(x for x in found["compared"] if x["name"] == "A.1")
    assert same["kappa"]["value"] == 1
    assert [one["published"] for one in told["published"]] == ["0.75", "0.53"]


@pytest.mark.parametrize("level", ["pillar", "stage", "finding"])
def test_every_level_can_be_asked_for(folder: Path, level: str) -> None:
    words = ("diagnose", "agree", folder, "--against", "human", "--level", level)
    said = benchwright(*words)
    assert (said.code, said.err) == (0, "")
    assert "precision" in said.out
    told = json.loads(benchwright(*words, "--json").out)
    assert bool(told["published"]) == ("published" in said.out)


@pytest.fixture
def alike(tmp_path: Path) -> Path:
    """Labels of one rater, the same of another, and none at all of a third."""
    for one in human()[:12]:
        placed = tuple(
            replace(own, evidence=(Evidence("log", f"{n}"),)) for n, own in enumerate(one.labels, 1)
        )
        for rater, labels in (("human", placed), ("twin", placed), ("mute", ())):
            write_labels(tmp_path / rater, replace(one, rater=rater, labels=labels))
    return tmp_path


def test_a_published_kappa_says_where_the_truth_beside_it_is_a_program(tmp_path: Path) -> None:
    for one in human():
        write_labels(tmp_path / "human", one)
        write_labels(tmp_path / "screen", replace(one, rater="screen", rater_kind="screen"))
    beside = {}
    for truth, more in (("none", ()), *((x, ("--against", x)) for x in ("screen", "human"))):
        told = json.loads(benchwright("diagnose", "agree", tmp_path, "--json", *more).out)
        beside[truth] = [row["what differs"] for row in told["published"]]
    assert {text.count("word of a program (screen)") for text in beside["screen"]} == {1}
    assert {text.count("program") for text in beside["human"]} == {0}
    assert [text.count("a program (screen)") for text in beside["none"]] == [1]


def test_a_terminal_shows_what_was_found_and_counts_the_rest(folder: Path) -> None:
    words = ("diagnose", "tables", folder / "human")
    said = benchwright(*words).out
    whole = {t["name"]: t for t in json.loads(benchwright(*words, "--json").out)["tables"]}
    columns = [column["title"] for column in whole["rates-by-system"]["columns"]]
    hits = [row[columns.index("hit")] for row in whole["rates-by-system"]["rows"]]
    left = sum(not number for number in hits)
    assert 0 < left < len(hits)
    (note,) = re.findall(r"Not shown: .*rates-by-system\.csv of --out\.", " ".join(said.split()))[
        -1:
    ]
    assert f"Not shown: {left} rows of what was never found (0 or unknown); --json has" in note
    shown = said[said.index("Rate of each pattern") : said.index("Trajectories by number of")]
    assert len(re.findall(r"^  (?:all|s\d) .* %", shown, re.M)) == len(hits) - left
    together = said[said.index("Patterns that stand together") : said.index("Systems that fail")]
    assert "unknown " not in together.replace("(0 or unknown)", "")


def test_several_raters_are_named_in_words_and_not_as_a_list(folder: Path) -> None:
    refused_fully(benchwright("diagnose", "tables", folder), "'human, judge'")
    alone = benchwright("diagnose", "agree", folder / "human")
    refused_fully(alone, "no trajectory that two raters have labelled: 'human' (")


def test_no_rater_is_hidden_whether_perfect_or_mute(alike: Path) -> None:
    words = ("diagnose", "agree", alike, "--against", "human")
    said = benchwright(*words, "--level", "finding").out
    (twin,) = re.findall(r"^ *twin +12 .*$", said, re.M)
    number = sum(len(one.labels) for one in human()[:12])
    assert twin.split()[1:5] == ["12", str(number), "0", "0"] and "100.0 %" in twin
    assert re.search(rf"^ *mute +12 +0 +0 +{number} ", said, re.M) and "Not shown" not in said
    two = [path for rater in ("mute", "quiet") for path in [alike / rater]]
    for one in human()[:12]:
        write_labels(two[1], replace(one, rater="quiet", labels=()))
    nobody = benchwright("diagnose", "agree", *two, "--against", "quiet").out
    assert re.search(r"^ *mute +all +12 +0 +0 +0 ", nobody, re.M)
    assert re.search(r"^ *all +12 +0 +0 ", benchwright("diagnose", "agree", *two).out, re.M)


def two_versions(root: Path) -> tuple[Path, Path]:
    """Two files of a taxonomy; the second has a pattern more, and a map from the first."""
    head = """format = "benchwright.taxonomy/1"
[stages]
A = "Planning"
[pillars.R1]
name = "One"
word = "one"
lower_confidence = false
"""
    entry = '[patterns."A.{n}"]\nname="P{n}"\nstage="A"\npillar="R1"\ndefinition="d"\n'
    entry += 'settled="log"\nby="b"\n'
    old, new = root / "old.toml", root / "new.toml"
    old.write_text(f'version = "v1"\n{head}{entry.format(n=1)}')
    carry = '[[maps]]\nsource = "v1"\n[maps.patterns]\n"A.1" = ["A.1"]\n'
    new.write_text(f'version = "v2"\n{head}{entry.format(n=1)}{entry.format(n=2)}{carry}')
    return old, new


def test_saturation_is_shown_over_versions_and_the_newest_labels_count(
    folder: Path, tmp_path: Path
) -> None:
    old, new = two_versions(tmp_path)
    first = human()[0]
    for version, patterns in (("v1", ("A.1", None, None)), ("v2", ("A.1", "A.2", None))):
        model = next(x for x in human() if x.labels).labels[0]
        own = tuple(replace(model, pattern=p, issue=n) for n, p in enumerate(patterns, 1))
        labels: Labels = replace(first, taxonomy=version, labels=own)
        write_labels(tmp_path / version, labels)
    words = (tmp_path / "v1", tmp_path / "v2", "--taxonomy", old, "--taxonomy", new, "--json")
    told = json.loads(benchwright("diagnose", "tables", *words).out)
    curve = next(one for one in told["tables"] if one["name"] == "saturation")
    titles = [column["title"] for column in curve["columns"]]
    rows = [dict(zip(titles, row, strict=True)) for row in curve["rows"]]
    assert [(r["version"], r["new"], r["none"], r["issues"]) for r in rows] == [
        ("v1", 1, 2, 3), ("v2", 1, 1, 3)]  # fmt: skip
    assert told["labelled"] == 1 and told["taxonomy"] == "v2"


@pytest.mark.parametrize(
    "words",
    [
        ["tables"],
        ["tables", "{folder}"],
        ["tables", "{folder}", "--rater", "nobody"],
        ["tables", "{folder}/human", "--by", "agent"],
        ["tables", "{folder}/gone"],
        ["tables", "{folder}/human", "--out", "{folder}"],
        ["tables", "{folder}/human", "--planned", "{folder}"],
        ["tables", "{folder}/human", "--taxonomy", "{folder}/gone.toml"],
        ["tables", "{folder}", "--published"],
        ["tables", "--published", "--out", "{folder}/new"],
        ["agree", "{folder}/human"],
        ["agree", "{folder}", "--against", "nobody"],
        ["agree", "{folder}", "--level", "finding"],
        ["agree", "{folder}", "--level", "patterns"],
        ["agree", "{folder}", "--level", "finding", "--against", "human", "--run", "{folder}"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_used_is_refused(folder: Path, words: list[str]) -> None:
    before = tree(folder)
    refused_fully(benchwright("diagnose", *(word.format(folder=folder) for word in words)))
    assert tree(folder) == before


def test_the_shipped_taxonomy_is_the_one_that_the_fixture_uses(folder: Path) -> None:
    assert {one.taxonomy for one in human()} == {shipped().version}
