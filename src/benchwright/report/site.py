"""Writes pages as a folder that opens by double click, and refuses to write anything else.

    <out>/report.json       format and number; marks the folder as one that may be replaced
    <out>/index.html        the first page
    <out>/tasks/ episodes/  one page each
    <out>/data/<key>.js     one trace each, named by content
    <out>/*.csv             tables for other programs, where a suite has any
    <out>/assets/           style.css, page.js, plotly.min.js (from the plotly package, once)

Text reaches HTML through Jinja with autoescape only, data through JSON whose angle brackets are
escaped, and addresses only if they are plain relative names. A content security policy lets nothing
but the site's own files run. Equal pages give equal bytes: no clock, no host, no absolute path.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from benchwright.canonical import digest_bytes
from benchwright.errors import SpecError
from benchwright.report.page import Page
from benchwright.report.strips import HEIGHT, WIDTH, strips, ticks
from benchwright.report.viewer import Viewer, config, trace_file
from benchwright.storage import read_json, write_json

REPORT_FORMAT = "benchwright.report-record/1"
LONGEST_TEXT = 20_000
"""Characters of one message or output that a page shows; the rest is in the episode's folder."""

CONFUSION = "confusion.html"
MENU = {
    "index.html": "Results",
    "figures.html": "Figures",
    CONFUSION: "Confusion",
    "episodes.html": "Episodes",
}

_PARTS = {"report.json", "tasks", "episodes", "data", "assets"}
"""What stands at the top of a report beside its pages."""

_ADDRESS = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*(#[a-z0-9-]+)?")


_CODE = re.compile(r"[\w.-]+[@/][\w./-]+( \([\w./-]+\))?")


class Site:
    """Collects pages beside `out` and puts them in place when closed."""

    def __init__(self, out: Path, title: str, menu: Mapping[str, str] = MENU) -> None:
        _refuse_foreign(out)
        self.out = out
        self.title = title
        self.menu = menu
        self._partial = out.with_name(f".{out.name}.partial")
        shutil.rmtree(self._partial, ignore_errors=True)
        (self._partial / "data").mkdir(parents=True)
        self._keys: dict[str, str] = {}
        self._template = self._environment().get_template("page.html.j2")

    def add(self, page: Page) -> None:
        """Render and write one page, and every trace on it that is not there yet."""
        path = address(page.path)
        root = "../" * path.count("/")
        text = self._template.render(page=page, root=root, site=self)
        target = self._partial / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def add_file(self, name: str, content: bytes) -> None:
        """A table for other programs beside the pages; a name in `.csv`, as of all such tables."""
        (self._partial / address(name)).write_bytes(content)

    def close(self) -> Path:
        """Copy the assets, replace an older report at `out`, and return its first page."""
        self._copy_assets()
        write_json(self._partial / "report.json", {"format": REPORT_FORMAT})
        if self.out.exists():
            shutil.rmtree(self.out)
        self._partial.rename(self.out)
        return self.out / "index.html"

    def draw(self, viewer: Viewer) -> dict[str, Any]:
        """Write the data files of a viewer; returns what its script reads."""
        return config(viewer, tuple(self._key(trace) for trace in viewer.traces))

    def _key(self, trace: Any) -> str:
        raw = digest_bytes(repr(trace.values.shape).encode() + trace.values.tobytes())
        if raw not in self._keys:
            key, text = trace_file(trace)
            (self._partial / "data" / f"{key}.js").write_text(text, encoding="utf-8")
            self._keys[raw] = key
        return self._keys[raw]

    def _copy_assets(self) -> None:
        folder = self._partial / "assets"
        folder.mkdir()
        own = resources.files("benchwright.report") / "assets"
        for name in ("style.css", "page.js"):
            (folder / name).write_bytes((own / name).read_bytes())
        if self._keys:
            plotly = resources.files("plotly") / "package_data" / "plotly.min.js"
            (folder / "plotly.min.js").write_bytes(plotly.read_bytes())

    def _environment(self) -> Environment:
        env = Environment(
            loader=PackageLoader("benchwright.report"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        env.filters.update(
            kind=lambda block: type(block).__name__,
            address=address,
            draw=self.draw,
            strips=strips,
            ticks=ticks,
            percent=lambda share: f"{100 * share:.2f}%",
            clip=clip,
            breakable=breakable,
        )
        env.globals.update(strip_width=WIDTH, strip_height=HEIGHT)
        return env


def address(path: str) -> str:
    """`path` if it is a plain relative address inside the site; anything else is refused."""
    if _ADDRESS.fullmatch(path) and ".." not in path:
        return path
    raise SpecError(
        "not an address inside the report",
        value=path,
        where="report page",
        hint="Link pages of the site by their relative name.",
    )


def breakable(text: str) -> str:
    """The name of code, `file.py@name` or `package/name`, with places where a line may break."""
    if not _CODE.fullmatch(text):
        return text
    return Markup("<wbr>").join(re.split(r"(?<=[@/_])", text))


def clip(text: str) -> str:
    """At most `LONGEST_TEXT` characters, with a sentence about the rest."""
    if len(text) <= LONGEST_TEXT:
        return text
    left = len(text) - LONGEST_TEXT
    return f"{text[:LONGEST_TEXT]}\n[{left:,} more characters in trajectory.json of this episode]"


def _refuse_foreign(out: Path) -> None:
    """A report is replaced as a whole, so it must be one and nothing else."""
    names = {path.name for path in out.iterdir()} if out.is_dir() else set()
    if not out.exists() or (out.is_dir() and not names):
        return
    if "report.json" in names:
        read_json(out / "report.json", form=REPORT_FORMAT)
    others = sorted(name for name in names - _PARTS if not name.endswith((".html", ".csv")))
    if "report.json" in names and not others:
        return
    raise SpecError(
        "output folder holds something else" if names else "output folder is a file",
        value=f"{out}: {others[0]}" if others else str(out),
        where="--out",
        hint="Choose another folder, or remove this one first.",
    )
