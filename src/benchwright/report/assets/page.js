// Draws the viewers of a page when they are opened, and switches the theme. Runs from a folder:
// data comes in as scripts, because browsers refuse to fetch from file addresses.
"use strict";

const root = document.body.dataset.root;
const traces = new Map();   // key -> channels as arrays
const scripts = new Map();  // address -> promise

window.benchwright = {
  trace(key, body) { traces.set(key, body.channels.map(unpack)); },
};

function unpack(channel) {
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
  return { rows: new Uint16Array(bytes(channel.rows)), values: new Float32Array(bytes(channel.values)) };
}

function load(address) {
  if (!scripts.has(address)) {
    scripts.set(address, new Promise((done, failed) => {
      const tag = document.createElement("script");
      tag.src = root + address;
      tag.onload = done;
      tag.onerror = () => failed(new Error("missing file " + address));
      document.head.append(tag);
    }));
  }
  return scripts.get(address);
}

// Plotly reads a few tags in its texts; ours are plain.
const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

// Lines that lie on each other stay visible: what was observed has a band below everything, and the
// probes have gaps through which the lines below them are seen. What is drawn last comes last.
const strokes = {
  observed: { width: 1.1 }, clean: { width: 1.5 },
  static: { width: 2, dash: "2px,3px" }, no_change: { width: 1.7, dash: "8px,5px" },
};
const order = Object.keys(strokes);

function lines(setup) {
  const drawn = [...setup.traces].sort((a, b) => order.indexOf(a.role) - order.indexOf(b.role));
  return drawn.flatMap((trace) => traces.get(trace.key).flatMap((channel, c) => {
    const line = {
      type: "scatter", mode: "lines", name: plain(trace.name), showlegend: false,
      x: Array.from(channel.rows, (row) => setup.start + row * setup.step), y: channel.values,
      xaxis: "x", yaxis: "y" + (c ? c + 1 : ""), visible: trace.shown,
      line: { ...strokes[trace.role], color: colour(trace.role.replace("_", "-")) },
      hovertemplate: "%{y:.5g}<extra>" + plain(trace.name) + " at %{x:.4f} s</extra>",
    };
    if (trace.role !== "observed") return [line];
    return [{ ...line, opacity: 0.22, hoverinfo: "skip", hovertemplate: null, line: { ...line.line, width: 6 } }, line];
  }));
}

function layout(setup, width) {
  const narrow = width < 500;
  const n = setup.axes.length, gap = 0.11, height = (1 - gap * (n - 1)) / n;
  const axis = { gridcolor: colour("faint"), linecolor: colour("line"), zerolinecolor: colour("line"), tickfont: { size: 11 } };
  const out = {
    width, height: 130 * n + 60, margin: { l: narrow ? 46 : 58, r: 10, t: 22, b: 38 }, hovermode: "closest",
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", annotations: [], shapes: [],
    font: { family: getComputedStyle(document.body).fontFamily, size: 12, color: colour("muted") },
    xaxis: { ...axis, anchor: "y" + (n > 1 ? n : ""), title: { text: "time (s)", standoff: 6, font: { size: 12 } } },
  };
  setup.axes.forEach((a, c) => {
    const top = 1 - c * (height + gap);
    out["yaxis" + (c ? c + 1 : "")] = { ...axis, domain: [Math.max(0, top - height), top], nticks: 5, zeroline: true };
    out.annotations.push({ text: plain(a.label + (a.unit ? " (" + a.unit + ")" : "")), hovertext: plain(a.hint), x: 0, y: top, xref: "paper", yref: "paper",
      xanchor: "left", yanchor: "bottom", showarrow: false, font: { size: 12, color: colour("ink") } });
  });
  return out;
}

function mark(setup, shown) {
  if (setup.mark === null || !shown) return [];
  return [{ type: "line", x0: setup.mark, x1: setup.mark, y0: 0, y1: 1, yref: "paper",
            line: { color: colour("mark"), width: 1.2, dash: "dot" } }];
}

async function draw(figure) {
  if (figure.dataset.drawn) return;
  figure.dataset.drawn = "yes";
  const setup = JSON.parse(figure.querySelector("script").textContent);
  const plot = figure.querySelector(".plot");
  try {
    await Promise.all(["assets/plotly.min.js", ...setup.traces.map((t) => "data/" + t.key + ".js")].map(load));
  } catch (error) {
    plot.textContent = "Cannot draw: " + error.message;
    return;
  }
  const boxes = [...figure.querySelectorAll("input[data-trace]")];
  const change = figure.querySelector("input[data-mark]");
  const show = () => {
    setup.traces.forEach((trace, i) => { trace.shown = boxes[i].checked; });
    const area = layout(setup, plot.clientWidth);
    area.shapes = mark(setup, change && change.checked);
    Plotly.react(plot, lines(setup), area, { displayModeBar: false });
  };
  figure.querySelectorAll("input").forEach((box) => box.addEventListener("change", show));
  document.addEventListener("benchwright-theme", show);
  let width = plot.clientWidth;
  new ResizeObserver(() => {
    if (plot.clientWidth && plot.clientWidth !== width) { width = plot.clientWidth; show(); }
  }).observe(figure);
  show();
}

function drawOpen() {
  document.querySelectorAll("figure.viewer").forEach((figure) => {
    if (figure.offsetParent !== null) draw(figure);
  });
}
document.addEventListener("toggle", drawOpen, true);
drawOpen();

// An address that names a sample opens it; the others close, so that it is what one sees.
function openNamed() {
  const named = location.hash && document.getElementById(location.hash.slice(1));
  if (!named || !named.matches("details.fold")) return;
  document.querySelectorAll("details.fold[open]").forEach((fold) => { fold.open = fold === named; });
  named.open = true;
  named.scrollIntoView();
}
addEventListener("hashchange", openNamed);
openNamed();

const themes = ["system", "light", "dark"];
const button = document.querySelector(".theme");
function remembered() { try { return localStorage.getItem("benchwright-theme") || "system"; } catch { return "system"; } }
function apply(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  button.querySelector(".name").textContent = theme;
  document.dispatchEvent(new Event("benchwright-theme"));
}
button.hidden = false;
button.addEventListener("click", () => {
  const next = themes[(themes.indexOf(remembered()) + 1) % themes.length];
  try { localStorage.setItem("benchwright-theme", next); } catch { /* a private window forgets */ }
  apply(next);
});
apply(remembered());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => document.dispatchEvent(new Event("benchwright-theme")));
