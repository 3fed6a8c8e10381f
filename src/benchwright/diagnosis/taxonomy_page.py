"""The taxonomy as a page of Markdown: `docs/taxonomy.md` is exactly this text."""

from __future__ import annotations

from collections.abc import Iterator

from benchwright.diagnosis.taxonomy import Taxonomy

_HEAD = """\
# The taxonomy of failure patterns

{count} patterns in {stages} stages and {pillars} pillars, version `{version}`. Identifiers and
names are those of the paper, the definitions are ours. This page is made from
`src/benchwright/diagnosis/taxonomy.toml`, and a test holds it to that.

A pattern is settled by *files* (artifacts are compared), by the *log* (the record of what was done)
or by *reading* (somebody judges the reasoning). Agreement between raters is lower on the pillars
marked with a star: the authors say so. Versions are never mixed: labels of another version are
carried over by a map in the file (`[[maps]]`) or refused. None is shipped. An id without its dot
belongs to an older set with other meanings and is refused too.
"""


def taxonomy_page(taxonomy: Taxonomy) -> str:
    """The page, with a line feed at its end."""
    head = _HEAD.format(
        count=len(taxonomy.patterns),
        stages=len(taxonomy.stages),
        pillars=len(taxonomy.pillars),
        version=taxonomy.version,
    )
    return "\n".join((head, *_pillars(taxonomy), *_stages(taxonomy), *_pairs(taxonomy))) + "\n"


def _pillars(taxonomy: Taxonomy) -> Iterator[str]:
    yield "## Pillars\n\n| id | pillar | in a trailer | patterns |\n|---|---|---|---|"
    for one in taxonomy.pillars.values():
        count = sum(pattern.pillar == one.id for pattern in taxonomy.patterns.values())
        star = " *" if one.lower_confidence else ""
        yield f"| {one.id}{star} | {one.name} | `{one.word}` | {count} |"


def _stages(taxonomy: Taxonomy) -> Iterator[str]:
    for stage, title in taxonomy.stages.items():
        yield f"\n## {stage}. {title}\n"
        yield "| id | pattern | pillar | what it is | settled by |\n|---|---|---|---|---|"
        for one in taxonomy.patterns.values():
            if one.stage == stage:
                star = "*" if taxonomy.pillars[one.pillar].lower_confidence else ""
                settled = f"{one.settled}: {one.by}"
                yield (
                    f"| {one.id} | {one.name} | {one.pillar}{star} | {one.definition} | {settled} |"
                )


def _pairs(taxonomy: Taxonomy) -> Iterator[str]:
    yield "\n## Which of two\n\n| pair | what tells them apart |\n|---|---|"
    for pair in taxonomy.pairs:
        yield f"| {' and '.join(pair.between)} | {pair.rule} |"
