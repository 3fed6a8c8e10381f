"""No byte of the hand-out says who acted, what is true or how it scored."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchwright.cli import exit_code
from benchwright.diagnosis.cards.mask import MASKED, mask_for
from benchwright.episodes.folder import RunFolder
from benchwright.episodes.model import AgentRecord
from benchwright.storage import read_json
from benchwright.tasks.taskset import TaskSet
from tests.cli.commands import tree
from tests.diagnosis.cards.rounds import GIVEAWAYS, NAMES, key_of


def shown(round_: Path) -> dict[str, str]:
    """Every file of the hand-out as a reader or a search would see it."""
    return {n: html.unescape(b.decode("utf-8")) for n, b in tree(round_ / "handout").items()}


@pytest.mark.parametrize("name", NAMES)
def test_no_name_of_agent_model_or_maker_is_anywhere_in_the_hand_out(
    name: str, made_round: Path
) -> None:
    loose = re.compile(name.replace("-", "[-_ ]*"), re.IGNORECASE)
    assert [file for file, text in shown(made_round).items() if loose.search(text)] == []


def test_the_run_is_full_of_the_names_that_the_hand_out_lacks(card_run: RunFolder) -> None:
    texts = " ".join(p.read_text() for p in card_run.path.rglob("trajectory.json")).lower()
    assert [n for n in NAMES if n.replace("-", "") not in re.sub(r"[-_ ]", "", texts)] == []


def test_what_was_masked_is_said_and_the_rest_of_the_words_stays(made_round: Path) -> None:
    text = shown(made_round)["Ada/card-1.html"]
    assert "I am [masked], made by [masked]. As [masked], I cannot say more." in text
    assert "Names of agents, models and their makers were masked" in text
    assert "[words of the program around the model, left out]" in text
    assert "Always be brief" not in text and '<div class="tool">shell</div>' in text


def test_a_card_says_which_numbers_its_steps_have(made_round: Path) -> None:
    for file, text in shown(made_round).items():
        if re.search(r"/card-\d+\.html", file):
            first, last = re.findall(r"numbered (\d+) to (\d+)\.", text)[0]
            assert (first, last) == ("1", "4") and f"evidence: step {last}." in text
            assert "Steps: 3," in text  # the task is step 2 and stands above


def test_no_digest_of_an_episode_run_or_gold_is_handed_out(
    made_round: Path, card_run: RunFolder, card_tasks: TaskSet
) -> None:
    held = card_tasks.path / "held"
    secrets = {
        *(planned.id for planned in card_run.plan),
        *(planned.id[-12:] for planned in card_run.plan),
        *(str(read_json(file)["canary"]) for file in held.glob("*/gold.json")),
        card_run.record.scorer,
        str(card_run.path),
        "top1", "unscorable",
    }  # fmt: skip
    texts = shown(made_round)
    assert [(s, file) for s in sorted(secrets) for file, text in texts.items() if s in text] == []
    assert not {"key.json", "sample.json"} & {Path(file).name for file in texts}


def test_other_golds_scores_and_ends_give_the_same_bytes(
    card_run: RunFolder, card_tasks: TaskSet, made_round: Path, tmp_path: Path
) -> None:
    moved = shutil.copytree(card_run.path, tmp_path / "run")
    for sheet in moved.glob("episodes/*/scores/*"):
        sheet.unlink()
    (moved / "rows.parquet").unlink()
    for closing in moved.glob("episodes/*/episode.json"):
        text = closing.read_text()
        closing.write_text(text.replace('"owner":null', '"owner":"provider"'))
        assert text != closing.read_text()
    hidden = card_tasks.path / "held"
    hidden.rename(tmp_path / "held")
    try:
        words = ["diagnose", "cards", moved, "--out", tmp_path / "round", "--raters", "Ada,Bo"]
        assert exit_code([*map(str, words), "--seed", "3"]) == 0
    finally:
        (tmp_path / "held").rename(hidden)
    assert tree(tmp_path / "round" / "handout") == tree(made_round / "handout")


def test_every_rater_has_every_card_in_an_order_of_their_own(made_round: Path) -> None:
    orders = {}
    for rater in ("Ada", "Bo"):
        sheet = (made_round / "handout" / rater / "sheet.csv").read_text("utf-8-sig")
        orders[rater] = [line.split(",")[0] for line in sheet.split("\n")[1:] if line]
        linked = re.findall(r'href="card-(\d+)\.html"', shown(made_round)[f"{rater}/index.html"])
        assert linked == orders[rater]
    assert sorted(orders["Ada"]) == sorted(orders["Bo"]) == sorted(key_of(made_round))
    assert orders["Ada"] != orders["Bo"]


def test_a_number_says_nothing_about_the_agent(made_round: Path) -> None:
    agents = ["careful" in key_of(made_round)[str(n)] for n in range(1, 13)]
    assert sum(agents) == 6 and len({tuple(sorted(agents)), tuple(agents)}) == 2


letters = st.text("abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=9)
signs = st.sampled_from(["-", "_", "/", " ", ".", "", "\u2011", "\n  "])


@given(st.lists(letters, min_size=1, max_size=3), signs, signs, st.booleans(), st.text(max_size=5))
def test_a_name_is_masked_in_any_case_and_with_any_signs_between(
    parts: list[str], written: str, said: str, upper: bool, around: str
) -> None:
    assume(written or len(parts) == 1)
    agent = AgentRecord("own", written.join(parts), False, "none", "1")
    name = said.join(parts)
    text = f"{around} {name.upper() if upper else name} {around}"
    masked = mask_for([agent])(text)
    assert name.lower() not in masked.lower().replace(MASKED, "\0")


def test_the_words_of_an_agents_name_are_masked_together_and_not_alone() -> None:
    mask = mask_for([AgentRecord("skips_evidence", None, True, "none", "1")])
    assert mask("skips the evidence") == "skips the evidence"
    assert mask("I am Skips-Evidence.") == f"I am {MASKED}."


def test_ordinary_words_are_left_alone() -> None:
    mask = mask_for([AgentRecord("react", "openai/gpt-4.1-mini", False, "none", "1")])
    kept = "The reaction of the model, a mini test of 4.1 m; glm and cursory opuscules."
    assert mask(kept) == kept
    assert mask("react, GPT 4.1 mini and gpt-4") == f"{MASKED}, {MASKED} and {MASKED}-4"


@pytest.mark.parametrize("text", GIVEAWAYS)
def test_masking_twice_changes_nothing(text: str) -> None:
    mask = mask_for([])
    assert mask(mask(text)) == mask(text) != text
