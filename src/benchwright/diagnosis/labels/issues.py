"""Rules of labels per issue: every issue of the analysis has exactly one pattern, or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from benchwright.diagnosis.documents.parse import Document, Issue
from benchwright.diagnosis.labels.flaws import Flaw
from benchwright.diagnosis.labels.model import Label, Labels
from benchwright.diagnosis.labels.pointing import numbered
from benchwright.diagnosis.taxonomy import Taxonomy


def issue_flaws(labels: Labels, document: Document | None, taxonomy: Taxonomy) -> Iterator[Flaw]:
    """Flaws of a labelling by issue; without the document only what the file itself shows."""
    own = [label for label in labels.labels if label.issue is not None]
    if not own:
        return
    if len(own) < len(labels.labels):
        got = f"{len(labels.labels) - len(own)} of {len(labels.labels)} without a number"
        yield Flaw("kinds_mixed", "labels of issues and of the document in one file", "file",
                   got, "one kind")  # fmt: skip
    counts = Counter(label.issue for label in own)
    for number, times in sorted(counts.items(), key=lambda item: item[0] or 0):
        if times > 1:
            yield Flaw("issue_twice", "issue has several labels", f"issue {number}",
                       f"{times} labels", "one")  # fmt: skip
    if document is not None:
        yield from _against(own, numbered(document), taxonomy)


def _against(own: list[Label], issues: dict[int, Issue], taxonomy: Taxonomy) -> Iterator[Flaw]:
    labelled = {label.issue for label in own}
    for number in issues:
        if number not in labelled:
            yield Flaw("issue_unlabelled", "issue without a label", f"issue {number}", "nothing",
                       "a pattern, or null for none")  # fmt: skip
    for label in own:
        issue = issues.get(label.issue or 0)
        if issue is None:
            yield Flaw("issue_unknown", "the analysis has no such issue", f"issue {label.issue}",
                       str(label.issue), f"1 to {len(issues)}")  # fmt: skip
        elif label.pattern in taxonomy.patterns:
            yield from _trailer(label, issue, taxonomy)


def _trailer(label: Label, issue: Issue, taxonomy: Taxonomy) -> Iterator[Flaw]:
    """What the issue says of itself against the pattern that it was given."""
    if len(issue.trailers) != 1:
        return
    pattern = taxonomy.patterns[label.pattern or ""]
    trailer, where = issue.trailers[0], f"issue {label.issue}, {pattern.id}"
    if trailer.stage.upper() != pattern.stage:
        yield Flaw("stage_differs", "pattern of another stage than the trailer", where,
                   pattern.stage, trailer.stage.upper())  # fmt: skip
    word = taxonomy.pillars[pattern.pillar].word
    if trailer.word != word:
        yield Flaw("root_cause_differs", "pattern of another root cause than the trailer", where,
                   word, trailer.word)  # fmt: skip
