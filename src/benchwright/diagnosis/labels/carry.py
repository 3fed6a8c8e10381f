"""Labels of one version of the taxonomy as those of another: mapped whole, or refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from benchwright.diagnosis.labels.model import Label, Labels
from benchwright.diagnosis.taxonomy import Taxonomy, VersionMap, order
from benchwright.errors import SpecError


def carried(labels: Labels, taxonomy: Taxonomy) -> Labels:
    """`labels` in the version of `taxonomy`; the same object where they are of it already.

    A pattern that became several is all of them in a labelling of a document, and one that was
    dropped is none. An issue has one pattern: dropped, it fits none; become several, somebody has
    to choose, so that is refused. Where two patterns became one, a hit outweighs a partial.

    Raises:
        SpecError: no map leads here from the version of the labels, a pattern is not in the map, or
            that of an issue became several.
    """
    if labels.taxonomy == taxonomy.version:
        return labels
    way = taxonomy.map_from(labels.taxonomy)
    where = f"labels of {labels.subject.id} by {labels.rater}"
    new = [one for label in labels.labels for one in _one(label, way, where)]
    return replace(labels, taxonomy=taxonomy.version, labels=tuple(_merged(new)))


def collected(every: Iterable[Labels], taxonomy: Taxonomy) -> tuple[Labels, ...]:
    """All labels in one version, in the given order; raises as `carried`."""
    return tuple(carried(labels, taxonomy) for labels in every)


def _one(label: Label, way: VersionMap, where: str) -> Iterator[Label]:
    if label.pattern is None:
        yield label
        return
    new = way.carry([label.pattern])
    if label.issue is None:
        yield from (replace(label, pattern=pattern) for pattern in new)
        return
    if len(new) > 1:
        raise SpecError(
            "pattern of an issue became several",
            value=f"{label.pattern}: {', '.join(new)}",
            where=f"{where}, issue {label.issue}",
            hint=f"Label that issue again with version {way.target}.",
        )
    yield replace(label, pattern=new[0] if new else None)


def _merged(labels: list[Label]) -> Iterator[Label]:
    """Labels of a whole document once per pattern, in its order; those of issues as they are."""
    best: dict[str, Label] = {}
    for label in labels:
        if label.issue is not None or label.pattern is None:
            yield label
        elif label.pattern not in best or best[label.pattern].degree == "partial":
            evidence = (
                (*best[label.pattern].evidence, *label.evidence)
                if label.pattern in best
                else label.evidence
            )
            best[label.pattern] = replace(label, evidence=tuple(dict.fromkeys(evidence)))
    yield from (best[pattern] for pattern in sorted(best, key=order))
