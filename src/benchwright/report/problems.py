"""What went wrong, to be read at a glance: all episodes of one agent and one fault in one line."""

from __future__ import annotations

from collections.abc import Sequence

from benchwright.report.episode_page import EpisodeView, end_badges, reasons_of, task_path
from benchwright.report.page import (
    Block,
    Cell,
    Column,
    Fold,
    FoldHead,
    Heading,
    Section,
    Table,
    Text,
)
from benchwright.report.results import agent_badges
from benchwright.report.words import end_words, sentence

_MOST_EPISODES = 60
_TITLES = ("agent", "episodes", "what", "why")


def problem_blocks(views: Sequence[EpisodeView]) -> list[Block]:
    """A heading, and one line per agent and kind of fault that opens to its episodes."""
    found = [view for view in views if end_badges(view)]
    if not found:
        return [Heading("What went wrong"), Text("Nothing: every episode ended well.", "muted")]
    kinds: dict[tuple[object, ...], list[EpisodeView]] = {}
    for view in found:
        kinds.setdefault(_kind(view), []).append(view)
    title = f"What went wrong: {len(found)} of {len(views)} episodes"
    lines = sorted(kinds.values(), key=lambda own: (own[0].agent, -len(own)))
    return [Heading(title), FoldHead(_TITLES, "tally"), *map(_line, lines)]


def under_agent(view: EpisodeView) -> str:
    """Model and run, for the small line under an agent's name."""
    return " · ".join(part for part in (view.agent.model, view.run) if part)


def _kind(view: EpisodeView) -> tuple[object, ...]:
    return view.agent, view.run, tuple(badge.text for badge in end_badges(view)), _what(view)


def _what(view: EpisodeView) -> str:
    """The end if it was unusual, and what scoring had to say."""
    episode = view.episode
    if episode is None:
        return "It has not been run, or it was interrupted."
    ended = [end_words(episode.end, episode.owner)] if episode.end.kind != "returned" else []
    return " ".join([*ended, *(sentence(reason) for reason in reasons_of(view))])


def _line(views: Sequence[EpisodeView]) -> Fold:
    first = views[0]
    summary = (
        Cell(first.agent.name, badges=agent_badges(first.agent), note=under_agent(first)),
        Cell(str(len(views))),
        Cell(badges=end_badges(first)),
        Cell(note=_what(first)),
    )
    lines = tuple(
        (Cell(view.condition, view.path), Cell(view.task.id, task_path(view.task)), Cell(view.key))
        for view in views[:_MOST_EPISODES]
    )
    left = len(views) - len(lines)
    note = f"{left} more are in the list of episodes." if left else ""
    heads = (Column("episode"), Column("task"), Column("id"))
    return Fold(summary, _TITLES, (Table(heads, (Section("", lines),), note=note),), kind="tally")
