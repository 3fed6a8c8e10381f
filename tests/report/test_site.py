"""Pages are inert whatever stands in them, stay inside their folder, and need nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
from html.parser import HTMLParser

import numpy as np
import pytest

from benchwright.errors import FormatError, SpecError
from benchwright.report.page import (
    Badge,
    Cell,
    Code,
    Column,
    Facts,
    Fold,
    FoldHead,
    Grid,
    Heading,
    Legend,
    Matrix,
    Page,
    Section,
    Share,
    Specimen,
    Story,
    Table,
    Terms,
    Text,
)
from benchwright.report.site import LONGEST_TEXT, Site, address, breakable, clip
from benchwright.report.story import StoryCall, StoryStep, Stretch
from benchwright.report.viewer import Axis, Trace, Viewer

OWN = "document.title='owned'"
BAD = f'</script><script>{OWN}</script><img src=x onerror="{OWN}">'
HARD = f"{BAD} {{{{ 7*7 }}}} ' \" javascript:alert(1) \u2028 <b>"


class Tags(HTMLParser):
    """Collects start tags with their attributes, and the text of data blocks."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.data: list[str] = []
        self._inside = False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._inside = tag == "script"

    def handle_endtag(self, tag):
        self._inside = False

    def handle_data(self, data):
        if self._inside:
            self.data.append(data)


def viewer(title="v") -> Viewer:
    values = np.arange(60, dtype=np.float32).reshape(3, 20)
    axes = tuple(Axis(title, title, title) for _ in range(3))
    return Viewer(title, axes, (Trace(title, "observed", values, title),), 0.02, 0.02, 0.1, title)


def specimen(text, cell, name="s") -> Specimen:
    values = np.arange(60, dtype=np.float32).reshape(3, 20)
    traces = (Trace(text, "observed", values, text), Trace(text, "static", values, text))
    axes = tuple(Axis(text, text, text) for _ in range(3))
    return Specimen(name, text, text, text, (text, "b"), text, axes, traces[:1], traces[1:],
                    0.02, 0.02, 0.1, (Text(text),), cell)  # fmt: skip


def full_page(text: str, path="index.html") -> Page:
    cell = Cell(text, badges=(Badge(text, "bad", text),), note=text, hint=text,
                share=Share(0.5, (0.2, 0.8), (0.1, 0.9), 0.2))  # fmt: skip
    step = StoryStep(1, text, text, text, (StoryCall(text, text, text),), (text,), text)
    blocks = (
        Heading(text, 2, text), Text(text, "warn"), Facts(((text, cell),)),
        Table((Column(text), Column(text, True, text)),
              (Section(text, ((cell, cell),), True, text),), text, text),
        Grid((Matrix(text, (text,), (text, text), ((1, 0),), ((1.0, 0.0),), text),)),
        viewer(text), Story((Stretch(step, 4),), text), Code(text, text),
        Code(text, text, open=False), FoldHead((text,)), specimen(text, cell),
        Fold((cell,), (text,), (Text(text),), True, anchor=text), Legend((("point", text),)),
        Terms(text, ((cell, text),)), Heading(text, anchor=text),
    )  # fmt: skip
    return Page(path, text, blocks, lead=text, kicker=cell, badges=(Badge(text),))


def write(out, *pages) -> str:
    site = Site(out, HARD)
    for page in pages:
        site.add(page)
    return site.close().read_text()


def test_hostile_text_in_every_place_of_every_block_starts_no_element(tmp_path):
    tame, hostile = (Tags(write(tmp_path / n, full_page(t))) for n, t in (("a", "ok"), ("b", HARD)))
    assert [tag for tag, _ in hostile.tags] == [tag for tag, _ in tame.tags]
    names = {name for _, attributes in hostile.tags for name in attributes}
    assert names == {name for _, attributes in tame.tags for name in attributes}
    assert not any(name.startswith("on") for name in names)
    assert json.loads(hostile.data[0])["title"] == HARD


def test_only_the_own_script_runs(tmp_path):
    tags = Tags(write(tmp_path / "s", full_page(HARD))).tags
    scripts = [a for tag, a in tags if tag == "script" and a.get("type") != "application/json"]
    assert [a["src"] for a in scripts] == ["assets/page.js"]
    policy = next(a["content"] for tag, a in tags if tag == "meta" and "http-equiv" in a)
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]
    assert "http:" not in policy and "https:" not in policy


@pytest.mark.parametrize(
    "bad",
    ["javascript:alert(1)", "http://x/y", "//x", "/etc/passwd", "../up.html", "a/../../b", "",
     "a b.html", "a.html?x=1", 'x"onclick="y', ".hidden"],
)  # fmt: skip
def test_an_address_that_leaves_the_site_is_refused(bad, tmp_path):
    with pytest.raises(SpecError, match="address"):
        address(bad)
    with pytest.raises(SpecError, match="address"):
        Site(tmp_path / "s", "t").add(Page("index.html", "t", [Facts((("x", Cell("y", bad)),))]))


def test_a_specimen_has_a_plain_name(tmp_path):
    page = Page("index.html", "t", [specimen("x", Cell(), 'a"onclick="b')])
    with pytest.raises(SpecError, match="address"):
        Site(tmp_path / "s", "t").add(page)


def test_a_folder_that_is_no_report_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("ten years of work")
    with pytest.raises(SpecError, match="something else"):
        Site(tmp_path, "t")
    assert (tmp_path / "thesis.txt").exists()


def test_an_older_report_is_replaced_and_a_newer_one_is_not(tmp_path):
    write(tmp_path / "r", Page("index.html", "first", []), Page("old.html", "x", []))
    assert "second" in write(tmp_path / "r", Page("index.html", "second", []))
    assert not (tmp_path / "r" / "old.html").exists()
    (tmp_path / "r" / "report.json").write_text('{"format": "benchwright.report-record/2"}')
    with pytest.raises(FormatError, match="newer"):
        Site(tmp_path / "r", "t")


def test_a_report_that_holds_something_of_its_reader_is_not_replaced(tmp_path):
    write(tmp_path / "r", Page("index.html", "first", []), Page("tasks/a.html", "x", []))
    (tmp_path / "r" / "notes.txt").write_text("ten years of work")
    with pytest.raises(SpecError, match=r"something else.*notes\.txt"):
        Site(tmp_path / "r", "t")
    assert (tmp_path / "r" / "notes.txt").exists()


def test_a_report_is_not_written_where_a_file_stands(tmp_path):
    (tmp_path / "r").write_text("ten years of work")
    with pytest.raises(SpecError, match="a file"):
        Site(tmp_path / "r", "t")


def test_equal_pages_give_equal_bytes(tmp_path):
    for name in ("a", "b"):
        write(tmp_path / name, full_page("x"), full_page("y", "tasks/y.html"))
    first, second = (
        {p.relative_to(tmp_path / n): p.read_bytes() for p in (tmp_path / n).rglob("*.*")}
        for n in ("a", "b")
    )
    assert first == second


def test_plotly_is_copied_once_and_only_where_something_is_drawn(tmp_path):
    write(tmp_path / "a", Page("index.html", "t", [Text("x")]))
    write(tmp_path / "b", full_page("x"), full_page("x", "tasks/y.html"))
    assert not list((tmp_path / "a").rglob("plotly*"))
    assert len(list((tmp_path / "b").rglob("plotly*"))) == 1
    assert len(list((tmp_path / "b" / "data").iterdir())) == 1


def test_own_files_name_no_host(tmp_path):
    write(tmp_path / "s", full_page("x"))
    own = [p for p in (tmp_path / "s").rglob("*.*") if not p.name.startswith("plotly")]
    assert not [p.name for p in own if "://" in p.read_text()]


def test_names_of_code_may_break_between_their_parts_and_other_text_stays_as_it_is():
    assert breakable("my_rule.py@solver (b/run)") == "my_<wbr>rule.py@<wbr>solver (b/<wbr>run)"
    for text in ("react", "no parameter change", "<b>@x", "a/b <script>", HARD):
        assert breakable(text) == text


def test_a_long_text_is_cut_with_a_sentence_about_the_rest():
    assert clip("x" * LONGEST_TEXT) == "x" * LONGEST_TEXT
    assert "7 more characters" in clip("x" * (LONGEST_TEXT + 7))


@pytest.mark.slow
def test_a_browser_draws_the_series_and_runs_nothing_foreign(tmp_path):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium here")
    write(tmp_path / "s", full_page(HARD))
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", f"--user-data-dir={tmp_path / 'profile'}",
             "--virtual-time-budget=5000", "--dump-dom"]  # fmt: skip
    page = (tmp_path / "s" / "index.html").as_uri()
    done = subprocess.run([browser, *flags, page], capture_output=True, timeout=60, check=True)
    dom = done.stdout.decode()
    assert "main-svg" in dom
    assert "<title>owned" not in dom
