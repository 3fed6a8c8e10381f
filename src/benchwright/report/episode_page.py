"""The page of one episode: how it ended, why it scored so, what it did, what it was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.episodes.model import Episode, Planned
from benchwright.errors import SubmissionError
from benchwright.report.handed import UNTOLD, UNTOLD_NOTE, files_of, untold
from benchwright.report.page import (
    Badge,
    Block,
    Cell,
    Code,
    Facts,
    Heading,
    Page,
    Story,
    Text,
    Tone,
)
from benchwright.report.results import agent_badges
from benchwright.report.story import read_story, stretches
from benchwright.report.viewer import READING
from benchwright.report.words import (
    answer_words,
    end_words,
    metric_words,
    sentence,
    status_words,
    usage_words,
)
from benchwright.scoring.artifacts import artifact
from benchwright.scoring.model import Check, ScoreRow
from benchwright.stats.accuracy import AgentKey
from benchwright.tasks.model import Task


@dataclass(frozen=True, slots=True)
class EpisodeView:
    """Everything about one planned episode that its page and its line in a list show."""

    planned: Planned
    task: Task
    condition: str
    """System and condition in words."""
    rows: tuple[ScoreRow, ...]
    episode: Episode | None
    """None while it is owed."""
    key: str
    """Folder-safe name that is unique in the report."""
    run: str = ""
    """Name of the run, where the report has several."""
    broken: tuple[Episode, ...] = ()
    """Attempts that broke off and were set aside, oldest first; no score comes from them."""

    @property
    def agent(self) -> AgentKey:
        """Who acted."""
        return agent_of(self.planned)

    @property
    def path(self) -> str:
        """Address of the page."""
        return f"episodes/{self.key}.html"


def agent_of(planned: Planned) -> AgentKey:
    """The competitor that a planned episode belongs to."""
    agent = planned.agent
    return AgentKey(agent.privileged, agent.name, agent.model or "", agent.sandbox)


def episode_page(view: EpisodeView, samples: Sequence[Block], told: Sequence[Block] = ()) -> Page:
    """The page; `samples` are the suite's own blocks, `told` those of one that tells all of it."""
    blocks: list[Block] = [_facts(view), *_notices(view), *told]
    if samples:
        note = f"Open a line to see the series behind it. {READING}"
        blocks += [Heading("Why it scored so", note=note), *samples]
    if not told:
        blocks += _deeds(view)
    blocks += [
        Heading("What it was asked", note="The exact text that the agent was given."),
        Code(view.task.instruction, caption="instruction.md", open=False),
    ]
    return Page(
        path=view.path,
        title=f"{view.planned.agent.name} on {view.condition}",
        blocks=blocks,
        kicker=Cell(view.task.id, href=task_path(view.task)),
        badges=(*agent_badges(view.agent), *end_badges(view)),
        lead=view.planned.id,
    )


def task_path(task: Task) -> str:
    """Address of a task's page."""
    return f"tasks/{task.id}.html"


def end_badges(view: EpisodeView) -> tuple[Badge, ...]:
    """A mark for every end that is not an ordinary one."""
    episode = view.episode
    if episode is None:
        return (Badge("not run", "warn"),)
    found = []
    if episode.end.kind != "returned":
        found.append(Badge(episode.end.kind.replace("_", " "), "warn"))
    if episode.owner is not None:
        found.append(Badge(f"owner: {episode.owner}", "bad"))
    if any(row.status == "invalid" for row in view.rows):
        found.append(Badge("invalid answer", "bad"))
    return tuple(found)


def reasons_of(view: EpisodeView) -> tuple[str, ...]:
    """What scoring had to say, without what only repeats how the episode ended."""
    lost = view.episode is not None and view.episode.owner not in (None, "agent")
    told = [row for row in view.rows if row.reason and not (lost and row.status == "unscorable")]
    return tuple(dict.fromkeys(str(row.reason) for row in told))


def said(view: EpisodeView, check: Check | None) -> str:
    """What an episode answered to one sample; the first sign says how that came out."""
    if view.episode is None:
        return "? not run"
    if check is None:
        invalid = any(row.status == "invalid" for row in view.rows)
        return "– no usable answer" if invalid else "? not known"
    if check.outcome in ("unverified", "blocked"):
        return "? not known"
    if check.outcome == "pass":
        return "✓ right"
    return f"✗ {answer_words(check.got)}" if check.got else "– no usable answer"


def said_tone(words: str) -> Tone:
    """The tone of what `said` gave."""
    tones: dict[str, Tone] = {"✓": "good", "✗": "bad", "–": "bad"}
    return tones.get(words[:1], "muted")


def score_cells(rows: Sequence[ScoreRow]) -> Mapping[str, Cell]:
    """Every metric of an episode as text, with what stands in its place if there is none."""
    tones = {"invalid": "bad", "unscorable": "warn", "missing": "warn"}
    return {
        row.metric: Cell(status_words(row), tone=tones.get(row.status, "plain"))  # type: ignore[arg-type]
        for row in rows
    }


def _facts(view: EpisodeView) -> Facts:
    items = [(metric_words(name), cell) for name, cell in score_cells(view.rows).items()]
    if view.episode is not None:
        items += [(name, Cell(text)) for name, text in usage_words(view.episode.usage)]
    items.append(("trial", Cell(str(view.planned.trial))))
    return Facts(tuple(items))


def _notices(view: EpisodeView) -> list[Block]:
    return [*_ended(view), *_before(view)]


def _before(view: EpisodeView) -> list[Block]:
    """Attempts that broke off before this one."""
    blocks: list[Block] = []
    for attempt in view.broken:
        used = ", ".join(f"{name} {value}" for name, value in usage_words(attempt.usage))
        ended = end_words(attempt.end, attempt.owner)
        blocks.append(Text(f"An attempt before, set aside: {ended} Used {used}.", "muted"))
    return blocks


def _ended(view: EpisodeView) -> list[Block]:
    if view.episode is None:
        return [Text("This episode is owed: it has not been run, or it was interrupted.", "warn")]
    usual = view.episode.end.kind == "returned" and view.episode.owner is None
    notices: list[Block] = [
        Text(end_words(view.episode.end, view.episode.owner), "muted" if usual else "warn")
    ]
    return notices + [Text(f"Scoring: {reason}", "warn") for reason in reasons_of(view)]


def _deeds(view: EpisodeView) -> list[Block]:
    if view.episode is None:
        return []
    story = read_story(view.episode.folder / "trajectory.json")
    blocks: list[Block] = [Heading("What it did", note=f"Steps in trajectory.json: {len(story)}.")]
    blocks.append(Story(stretches(story)))
    if untold(view.episode, story):
        blocks.append(Text(f"{sentence(UNTOLD)} {UNTOLD_NOTE}", "warn"))
    if view.task.submission.mode == "dialogue":
        return blocks
    return blocks + _submission(view.episode, view.task.submission.file)


def _submission(episode: Episode, name: str) -> list[Block]:
    listed = ", ".join(f"{file} ({words})" for file, words in files_of(episode))
    heading = Heading("What it handed in", level=3, note=listed)
    try:
        text = artifact(episode, name).read_bytes().decode(errors="replace")
    except SubmissionError as error:
        return [heading, Text(str(error), "muted")]
    return [heading, Code(text, caption=name, open=len(text) < 4000)]
