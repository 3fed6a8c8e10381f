"""Points from Brick models and other RDF graphs.

Takes the graphs of a corpus; gives a point per stream id. Which properties mean what comes from the
corpus file: a path is a property such as `brick:isPointOf`, or `^brick:hasPoint` for its inverse.
Nothing depends on the order of triples or on names of blank nodes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.extra import need
from benchwright.suites.telemetry.corpus.load import Corpus
from benchwright.suites.telemetry.corpus.model import BrickMetadata, Kind
from benchwright.suites.telemetry.corpus.points import Owner, Point

_PREFIXES = {
    "brick": "https://brickschema.org/schema/Brick#",
    "ref": "https://brickschema.org/schema/Brick/ref#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
}
_SHORT = 8


@dataclass(frozen=True, slots=True)
class _Graph:
    """One parsed graph with the rules of its corpus."""

    triples: Any
    rules: BrickMetadata
    site: str
    short: int
    """Letters of a local name that tell all nodes of this graph apart."""

    def follow(self, nodes: Iterable[Any], paths: Sequence[str]) -> list[Any]:
        """What any of the properties leads to, sorted."""
        found = set()
        for node in nodes:
            for path in paths:
                name = self.name(path.removeprefix("^"))
                if path.startswith("^"):
                    found.update(self.triples.subjects(name, node))
                else:
                    found.update(self.triples.objects(node, name))
        return sorted(found, key=str)

    def name(self, prefixed: str) -> Any:
        """The full name of `brick:isPointOf`."""
        prefix, colon, rest = prefixed.partition(":")
        spaces = _PREFIXES | self.rules.prefixes
        if not colon or prefix not in spaces:
            raise SpecError(
                "property has no known prefix",
                value=prefixed,
                where="metadata: prefixes",
                hint=f"Known prefixes: {', '.join(sorted(spaces))}.",
            )
        return need("rdflib").URIRef(spaces[prefix] + rest)

    def text(self, node: Any) -> str | None:
        """A literal, the text behind a blank node, or the local name of anything else."""
        rdflib = need("rdflib")
        if isinstance(node, rdflib.Literal):
            return str(node)
        if isinstance(node, rdflib.BNode):
            inner = self.follow([node], [self.rules.value])
            return self.text(inner[0]) if inner else None
        return local_name(str(node))

    def texts(self, node: Any, paths: Sequence[str]) -> list[str]:
        """Texts that properties of a node lead to, sorted."""
        return sorted(filter(None, (self.text(n) for n in self.follow([node], paths))))

    def kind_of(self, node: Any) -> str | None:
        """The class of a node; of several the least name."""
        found = self.texts(node, ["rdf:type"])
        return found[0] if found else None

    def label(self, node: Any) -> str:
        """Its label, or its class and the beginning of its local name."""
        given = self.texts(node, ["rdfs:label"])
        if given:
            return given[0]
        kind = self.kind_of(node)
        short = _own_name(str(node))[: self.short]
        return f"{kind} {short}" if kind else short


def local_name(name: str) -> str:
    """What stands behind the last `#` or `/`."""
    return re.split(r"[#/]", name)[-1]


def read_graph(corpus: Corpus, rules: BrickMetadata, path: str) -> list[Point]:
    """The points of one graph alone."""
    return read_graphs(corpus, rules.model_copy(update={"files": {path: rules.files[path]}}))


def read_graphs(corpus: Corpus, rules: BrickMetadata) -> list[Point]:
    """A point for every stream id in the graphs; several nodes with one id are one point."""
    points: dict[str, list[Point]] = defaultdict(list)
    for path, sha256 in sorted(rules.files.items()):
        graph = _parsed(corpus, rules, path, sha256)
        for node, stream in _streams(graph):
            points[stream].append(_point(corpus, graph, node, stream))
    return [_one(found, rules) for _, found in sorted(points.items())]


def _parsed(corpus: Corpus, rules: BrickMetadata, name: str, sha256: str) -> _Graph:
    path = corpus.find(name, sha256)
    triples = need("rdflib").Graph()
    try:
        triples.parse(path)
    except Exception as error:  # each parser of rdflib has errors of its own
        raise SpecError(
            "graph cannot be read",
            value=str(error).splitlines()[0],
            where=path,
            hint="Use Turtle, or another form that its suffix names.",
        ) from error
    names = {_own_name(str(s)) for s in triples.subjects() if not isinstance(s, _blank())}
    short = next((n for n in range(_SHORT, 200) if len({x[:n] for x in names}) == len(names)), 200)
    return _Graph(triples, rules, rules.site.get(name, path.stem), short)


def _blank() -> Any:
    return need("rdflib").BNode


def _own_name(name: str) -> str:
    """The last part of a dotted local name, which is what tells it apart from its parents."""
    return local_name(name).rsplit(".", 1)[-1]


def _streams(graph: _Graph) -> list[tuple[Any, str]]:
    first, *rest = graph.rules.stream
    found = []
    for node in sorted(set(graph.triples.subjects(graph.name(first), None)), key=str):
        reached = graph.follow([node], [first])
        for step in rest:
            reached = graph.follow(reached, [step])
        found += [(node, text) for text in sorted(filter(None, map(graph.text, reached)))]
    return found


def _point(corpus: Corpus, graph: _Graph, node: Any, stream: str) -> Point:
    rules = graph.rules
    name = graph.kind_of(node) or "Point"
    owners = [_owner(graph, owner) for owner in graph.follow([node], rules.owner)]
    places = [owner for owner in owners if owner.role == "location"]
    for where in ([node], graph.follow([node], rules.owner)):
        places = places or [_owner(graph, p) for p in graph.follow(where, rules.location)]
    units = graph.texts(node, rules.unit)
    declared = corpus.classes.get(name)
    unit = units[0] if units else (declared.unit if declared else None)
    return Point(
        stream=stream,
        site=graph.site,
        point_class=name,
        kind=declared.kind if declared else kind_of(name, rules),
        equipment="",
        location=places[0].name if places else None,
        location_type=places[0].kind if places else None,
        unit=unit,
        qualifiers=_qualifiers(graph, node),
        device=None,
        imputed=False,
        owners=tuple(owners),
    )


def kind_of(name: str, rules: BrickMetadata) -> Kind:
    """What a class holds, by the first pattern that fits; else `instant`."""
    fits = (kind for pattern, kind in rules.kinds.items() if re.fullmatch(pattern, name))
    return next(fits, "instant")


def _owner(graph: _Graph, node: Any) -> Owner:
    kind = graph.kind_of(node)
    place = any(re.fullmatch(p, kind or "") for p in graph.rules.location_classes)
    return Owner(graph.label(node), kind, "location" if place else "equipment", False)


def _qualifiers(graph: _Graph, node: Any) -> str:
    said = []
    for path in graph.rules.qualifiers:
        texts = graph.texts(node, [path])
        if texts:
            said.append(f"{path.rpartition(':')[2]}={','.join(texts)}")
    return "; ".join(said)


def _one(found: list[Point], rules: BrickMetadata) -> Point:
    """Nodes of one stream as one point: owners of all, words of the one with the least class."""
    first = min(found, key=lambda p: (p.point_class, p.site, p.qualifiers))
    owners = sorted(
        {o for p in found for o in p.owners}, key=lambda o: (o.role, _rank(o, rules), o.name)
    )
    marked = tuple(replace(o, representative=i == 0) for i, o in enumerate(owners))
    return replace(first, owners=marked, equipment=marked[0].name if marked else "none")


def _rank(owner: Owner, rules: BrickMetadata) -> int:
    """Equipment comes before places; of one role, declared classes in their order, then others."""
    return rules.prefer.index(owner.kind) if owner.kind in rules.prefer else len(rules.prefer)
