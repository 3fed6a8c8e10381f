"""A document that follows the skeleton passes; each planted fault fails under its own name."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from benchwright.diagnosis.documents.check import check_document
from benchwright.diagnosis.documents.skeleton import FULL, THIN_REASONS, floors_for, thinned
from benchwright.diagnosis.documents.sources import places_of
from benchwright.trajectory.resolve import Places
from tests.diagnosis.written import Folder, document, episode, prose

TRAILER = r" \[stage: \w \| root cause: \w+\]"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return episode(tmp_path_factory.mktemp("episode"))


@pytest.fixture(scope="module")
def places(folder: Folder) -> Places:
    return places_of(folder.root, None, folder.log, None)


@pytest.fixture(scope="module")
def good(folder: Folder) -> str:
    return document(folder)


def failing(text: str, places: Places = Places()) -> set[tuple[str, str]]:  # noqa: B008
    return {(f.gate, f.problem) for f in check_document(text, places).failures}


def issues_of(text: str) -> list[str]:
    return re.findall(r"^\d+\. .*$", text, re.M)


@pytest.mark.parametrize("seed", range(5))
def test_a_document_that_follows_the_skeleton_passes(
    folder: Folder, places: Places, seed: int
) -> None:
    for floors in (FULL, thinned(FULL)):
        verdict = check_document(document(folder, floors, seed), places, floors)
        assert verdict.failures == ()
        assert verdict.passes and verdict.checked and verdict.grounded.unchecked == 0


def test_the_core_verdict_may_be_the_quotation_of_the_skeleton_or_a_section(good: str) -> None:
    quoted = next(line for line in good.split("\n") if line.startswith("> "))
    assert failing(good.replace(quoted, f"## Core Verdict\n\n{quoted[2:]}")) == set()
    assert failing(good.replace(quoted, "")) == {("sections", "section is missing")}


def test_a_quotation_or_words_below_the_title_do_not_double_the_core_verdict(good: str) -> None:
    quoted = next(line for line in good.split("\n") if line.startswith("> "))
    for above in ("> A motto.", "A line of words."):
        both = f"{above}\n\n## Core Verdict\n\n{quoted[2:]}"
        assert failing(good.replace(quoted, both)) == set()


def test_line_ends_and_marks_of_another_system_change_nothing(good: str, places: Places) -> None:
    other = "\ufeff" + good.replace("\n", "\r\n")
    assert check_document(other, places) == check_document(good, places)


def test_credit_may_follow_the_last_issue_of_a_stage(good: str) -> None:
    for credit in ("To its credit, seeds were set.", "### Credit\n\nSeeds were set."):
        text = good.replace("\n## D. ", f"\n{credit}\n\n## D. ")
        assert failing(text) == set()
        assert check_document(text).issues == 28


def test_published_floors_add_up_and_the_thin_profile_is_six_tenths_cut_to_whole_numbers() -> None:
    thin = thinned(FULL)
    assert sum(part.characters for part in FULL.parts) == 11_690
    assert sum(part.issues for part in FULL.parts) == FULL.issues == 28
    assert (thin.characters, thin.issues, thin.anchors, thin.quotes) == (9600, 16, 180, 4)
    assert thin.characters_per_issue == FULL.characters_per_issue == 300
    assert [part.issues for part in thin.parts if part.stage] == [2, 2, 6, 2, 2, 2, 2]
    assert [part.characters for part in thin.parts][:3] == [510, 432, 228]


@pytest.mark.parametrize("reason", THIN_REASONS)
def test_reasons_of_little_work_select_the_thin_profile(reason: str) -> None:
    assert floors_for(f"{reason}: nothing came").profile == "thin"


@pytest.mark.parametrize("reason", [None, "judge_unavailable", "soft[band_gap]", "a timeout"])
def test_other_reasons_do_not(reason: str | None) -> None:
    assert floors_for(reason).profile == "full"


def test_a_section_that_is_cut_short_fails_by_its_name(good: str) -> None:
    start = good.index("## Metadata")
    cut = good[: start + 60] + "\n\n" + good[good.index("## Trajectory Arc") :]
    found = [f for f in check_document(cut).failures if f.gate == "sections"]
    assert [(f.problem, f.where) for f in found] == [("section is too short", "Metadata")]


def test_sub_headings_and_fenced_code_do_not_cut_a_section(good: str) -> None:
    inside = "## Metadata\n\n### Details\n\n```\n## Credit Due\n1. no issue\n```\n"
    assert failing(good.replace("## Metadata\n", inside)) == set()


def test_a_section_that_stands_twice_fails(good: str) -> None:
    assert ("sections", "section stands twice") in failing(good + "\n## Metadata\n\nagain\n")


def test_issues_gathered_in_one_stage_fail_in_the_others(good: str) -> None:
    first = re.search(r"## D\. .*?(?=\n## E\.)", good, re.S)
    assert first is not None
    moved = "\n\n".join(issues_of(first.group())[1:])
    text = good.replace(moved, "").replace("\n## D. ", f"\n{moved}\n\n## D. ")
    found = [f.where for f in check_document(text).failures if f.gate == "breadth"]
    assert found == ["D. Analysis & Interpretation"]


def test_prose_that_begins_with_a_number_is_no_issue(good: str) -> None:
    lines = "\n2026 was warm.\n\n0.85 kappa is high.\n\n- 3 apples\n\n[1] ref\n\n(see 12) there\n"
    count = check_document(good).issues
    for stage in ("C. Execution & Implementation", "F. Self-Verification & Review"):
        assert check_document(good.replace(f"## {stage}\n", f"## {stage}\n{lines}")).issues == count
    assert (
        check_document(good.replace("## Credit Due\n", "## Credit Due\n\n1. one\n")).issues == count
    )


def test_a_wrapped_line_that_begins_with_a_number_is_no_issue(good: str) -> None:
    count = check_document(good).issues
    first = issues_of(good)[0]
    assert check_document(good.replace(first, first.replace(". See", ".\n7. See"))).issues == count


@pytest.mark.parametrize("form", ["**{}.** ", "### Issue {}: ", "- {}) ", "[C{}] ", "**C{}.** "])
def test_usual_forms_of_numbers_are_issues(good: str, form: str) -> None:
    text = re.sub(r"^(\d+)\. ", lambda found: form.format(found[1]), good, flags=re.M)
    assert check_document(text).issues == 28


def test_too_many_short_issues_and_stubs_fail(good: str) -> None:
    short, stub = good, good
    for n, one in enumerate(issues_of(good)):
        if n < 9:
            short = short.replace(one, f"{one[:60]} `fit.py` {one[-60:]}")
        if n < 2:
            stub = stub.replace(one, f"{n + 1}. `agent_code/fit.py` {one[-40:]}")
    assert ("thickness", "too many issues under 200 characters") in failing(short)
    assert ("thickness", "too many issues under 100 characters") in failing(stub)
    assert ("thickness", "too many issues under 200 characters") not in failing(stub)


@pytest.mark.parametrize("pad", [" ", "\n", "\u200b", "<!-- nothing -->"])
def test_padding_that_nobody_reads_counts_nothing(pad: str) -> None:
    empty = check_document(f"# title\n\n{pad * 20_000}")
    assert ("totals", "document is too short") in {(f.gate, f.problem) for f in empty.failures}
    assert empty.characters < 20


def test_padding_with_one_phrase_fails_as_recycled(folder: Folder, good: str) -> None:
    phrase = prose(random.Random(8), 300)
    padded = good.replace("## One-Line Verdict\n", f"## One-Line Verdict\n\n{(phrase + ' ') * 20}")
    assert failing(padded) == {("density", "phrases are recycled")}


def test_one_phrase_with_other_numbers_in_each_issue_fails_as_recycled(good: str) -> None:
    text, draw = good, random.Random(9)
    phrase = "The value {} of the run disagrees with {} in the report and nobody looked at why. "
    filler = phrase + prose(draw, 200)
    for one in issues_of(good)[:20]:
        own = filler.replace("{}", f"{draw.random():.3f}")
        text = text.replace(one, f"{one[:40]} {own} {one[40:]}")
    assert failing(text) == {("density", "phrases are recycled")}


def test_prescribed_words_are_nobodys_repeats(folder: Folder, places: Places) -> None:
    verdict = check_document(document(folder), places)
    assert verdict.passes  # 28 trailers of 38 characters stand in it


def copied(folder: Folder, how: str) -> str:
    report = (folder.artifacts / "report.md").read_text().split("\n\n")[1:]
    decision = (folder.artifacts / "decision.json").read_text()
    inside = decision.split(": ", 1)[1]
    return {
        "as it is": "\n\n".join(report),
        "with prefixes": "\n".join(f"> - {one}" for one in report),
        "wrapped": "\n".join(re.sub(r"((?:\S+ ){6})", r"\1\n> ", one) for one in report),
        "in bold": "\n\n".join(f"**{one}**" for one in report),
        "from JSON": "\n\n".join([inside] * 1 + report[:6]),
    }[how]


@pytest.mark.parametrize("how", ["as it is", "with prefixes", "wrapped", "in bold"])
def test_text_copied_from_artifacts_fails_however_it_is_set(
    folder: Folder, places: Places, good: str, how: str
) -> None:
    text = good.replace("## One-Line Verdict\n", f"## One-Line Verdict\n\n{copied(folder, how)}\n")
    assert failing(text, places) == {("density", "text is copied")}
    assert failing(text) == set()


def test_anchors_that_lead_nowhere_fail_with_their_line(
    folder: Folder, places: Places, good: str
) -> None:
    for told, why in (
        ("`agent_code/fit.py:61`", "has no line 61"),
        ("`agent_code/gone.py`", "no such file"),
        ("`agent_code/fit.py:3` reads `import nothing_of_this`", "does not stand there"),
        ("log line 51", "has no line 51"),
        ("step 9", "no step 9"),
        ("result:h-00000000", "no call returned"),
    ):
        text = good.replace("## Credit Due\n", f"## Credit Due\n\nSee {told}.\n")
        found = check_document(text, places).failures
        assert [(f.gate, f.problem) for f in found] == [("density", "anchor is false")], told
        line = next(n for n, one in enumerate(text.split("\n"), 1) if told in one)
        assert f"line {line}:" in found[0].where and why in found[0].got
        assert failing(text) == set()


def test_anchors_that_hold_do_not_fail(folder: Folder, places: Places, good: str) -> None:
    told = [
        f"`fit.py:3` reads `{folder.code[2]}`", "`/workspace/agent_code/fit.py:3-9`",
        "log line 50", "train.jsonl:12", "step 8", "result:h-7f3a91c2", "https://a.org/gone.py",
    ]  # fmt: skip
    text = good.replace("## Credit Due\n", f"## Credit Due\n\nSee {', '.join(told)}.\n")
    assert failing(text, places) == set()


def test_a_file_that_was_only_promised_is_no_false_anchor(folder: Folder, good: str) -> None:
    report = folder.artifacts / "report.md"
    before = report.read_text()
    text = good.replace("## Credit Due\n", "## Credit Due\n\n`out/predictions.csv` is not there.\n")
    places = places_of(folder.root, None, folder.log, None)
    assert failing(text, places) == {("density", "anchor is false")}
    try:
        report.write_text(f"{before}\nAll values stand in out/predictions.csv.\n")
        assert failing(text, places) == set()
        assert failing(text.replace("predictions.csv`", "predictions.csv:1`"), places) != set()
    finally:
        report.write_text(before)


def test_the_number_of_an_issue_and_its_trailer_anchor_nothing(places: Places, good: str) -> None:
    text = good
    for one in issues_of(good)[:6]:
        bare = re.sub(TRAILER, "", one).split(" ", 1)
        words = prose(random.Random(len(bare[1])), 400)
        trailer = re.search(TRAILER, one)
        assert trailer is not None
        text = text.replace(one, f"{bare[0]} {words}{trailer.group()}")
    for given in (Places(), places):
        assert ("density", "too few issues with a true anchor") in failing(text, given)


def test_quotations_count_once_and_through_the_escapes_of_a_log(
    folder: Folder, places: Places, good: str
) -> None:
    spans = re.sub(r" reads `[^`]+`", "", good)
    assert ("density", "too few quotations that exist") in failing(spans, places)
    first = folder.log.read_text().split("\n")[0].split('\\"')[1]
    told = f'`loss "{first}"\tø`'
    before = check_document(good, places).grounded.quotes
    for times in (1, 3):
        text = good.replace("## Credit Due\n", f"## Credit Due\n\n{told * times}\n")
        assert check_document(text, places).grounded.quotes == before
    longer = f'`out", "text": "loss "{first}"\tø`'
    text = good.replace("## Credit Due\n", f"## Credit Due\n\n{longer}\n")
    assert before is not None and check_document(text, places).grounded.quotes == before + 1


@pytest.mark.parametrize(
    ("new", "problem"),
    [
        ("", "issue without its one trailer"),
        (" [stage: C]", "issue without its one trailer"),
        (" `[stage: C | root cause: integrity]`", "issue without its one trailer"),
        (" [stage: C | root cause: laziness]", "unknown root cause in a trailer"),
        (" [stage: D | root cause: integrity]", "trailer of another stage"),
        (" [stage: Q | root cause: integrity]", "unknown stage in a trailer"),
        (" [stage: C | root cause: integrity] and more", "trailer is not at the end"),
        (" [stage: C | root cause: depth] [stage: C | root cause: integrity]",
         "issue without its one trailer"),
    ],
)  # fmt: skip
def test_one_wrong_trailer_among_28_fails(good: str, new: str, problem: str) -> None:
    text = good.replace(" [stage: C | root cause: integrity]", new, 1)
    assert failing(text) == {("labels", problem)}


def test_blanks_and_letters_of_a_trailer_are_free(good: str) -> None:
    text = good.replace("[stage: C | root cause: integrity]", "[ STAGE : c|Root cause:Integrity ]")
    assert failing(text) == set()


def test_the_same_document_has_the_same_verdict(places: Places, good: str) -> None:
    assert check_document(good, places) == check_document(good, places)


def test_an_empty_document_and_noise_have_verdicts(places: Places) -> None:
    draw = random.Random(3)
    for text in (
        "",
        "## C. Execution & Implementation",
        "## C. Execution & Implementation\nno issue",
        "#",
        "`" * 999,
        "1. " * 999,
        f"## F. Self-Verification & Review\n\n1. {'9' * 5000}e{'9' * 5000} and 1e{'9' * 5000}",
        "".join(chr(draw.randrange(1, 9999)) for _ in range(4000)),
    ):
        assert not check_document(text, places).passes


DAMAGE = [
    *(
        "`",
        "[",
        "]",
        "<!--",
        "-->",
        "```",
        "\n",
        "## ",
        "# ",
        "> ",
        "1. ",
        "[stage:",
        "\\u12",
        "\\",
    ),
    *("../../etc/passwd.txt:1", "/etc/hosts.txt", "log line 0", "step 99999999", "fit.py:9-3"),
    *("result:----", "1e999", "\x00", "\ud800", "٣٣٣", "1e-999", "1,,,2", "/" * 3000, "a/" * 2000),
]


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_document_has_a_verdict_too(places: Places, good: str, seed: int) -> None:
    draw, text = random.Random(seed), good
    for _ in range(30):
        at = draw.randrange(len(text))
        text = text[:at] + draw.choice(DAMAGE) + text[at + draw.choice([0, 5, 200]) :]
    verdict = check_document(text, places)
    assert verdict.passes == (verdict.failures == ()) and verdict.checked


@pytest.mark.parametrize("name", ["../secret.txt:1", "/secret.txt", "a/" * 2000 + "secret.txt:1"])
def test_no_pointer_leaves_the_episode(tmp_path: Path, name: str) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "secret.txt").write_text("a line\n")
    folder = episode(inner)
    places = places_of(None, folder.artifacts, None, None)
    text = document(folder).replace("## Credit Due\n", f"## Credit Due\n\nSee {name}.\n")
    assert ("density", "anchor is false") in failing(text, places)
