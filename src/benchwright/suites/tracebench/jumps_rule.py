"""Finds the step by jumps and a few laws of motion; the line SYSTEM, ... is filled in."""

import contextlib
from typing import Any

import numpy as np
from scipy.ndimage import maximum_filter1d

SYSTEM, LABELS = "", [""]
GAIN, WANDER, FREE = 10.0, 25.0, 20.0  # what a step must gain; slow noise; rows per free row


def predict(df: Any) -> list[str]:
    """The label for a frame with col1..col3 and the time in col4; no change if nothing works."""
    word = "no parameter change"
    with contextlib.suppress(ArithmeticError, LookupError, ValueError), np.errstate(all="ignore"):
        series = [df[f"col{i}"].to_numpy(float) for i in (1, 2, 3, 4)]
        if np.isfinite(series).all():
            word = slide(*series) if SYSTEM == "MassSlide" else fly(*series)
    return [LABELS[next((i for i, label in enumerate(LABELS) if word in label), -1)]]


def sigma(values: Any) -> Any:
    """White noise of a series."""
    return max(1.0484 * np.median(np.abs(np.diff(values))), 1e-9, 1e-12 * np.abs(values).max())


def lift(target: Any, basis: Any, extra: Any) -> tuple[Any, Any]:
    """Squared misfit of an orthonormal basis with each extra column, and that column's weight."""
    rest, new = (part - basis @ (basis.T @ part) for part in (target, extra))
    size = (new * new).sum(0)
    weight = np.where(size > 1e-9 * (extra * extra).sum(0), rest @ new / (size + 1e-30), 0.0)
    return rest @ rest - weight**2 * size, weight


def split(at: Any, value: Any, sd: Any, rows: Any) -> Any:
    """Misfit of two levels that meet at each of the rows; of one level where none is before it."""
    before = at < np.reshape(rows, (-1, 1))
    total = np.zeros(len(before))
    for share in (before / sd**2, ~before / sd**2):
        level = (share * value).sum(1) / np.maximum(share.sum(1), 1e-12)
        total += np.minimum(share * (value - level[:, None]) ** 2, 25.0).sum(1)
    return total


def find_hits(x: Any, v: Any, f: Any, w: int, ball: bool) -> tuple[Any, Any, int]:
    """Rows of sharp turns at a wall, whether it is on the left or below, row where motion ends."""
    mean = np.convolve(v, np.full(w, 1.0 / w), "valid")
    leap, s = mean[w:] - mean[:-w], sigma(v)
    turn = (mean[w:] * mean[:-w] < 0) & (np.abs(leap) > max(0.12, 6 * s / w**0.5))
    turn &= leap > 0 if ball else leap * (x.max() + x.min() - 2 * x[w : 1 - w]) > 0
    at = np.flatnonzero(turn & (np.abs(leap) >= maximum_filter1d(np.abs(leap), 4 * w + 1)))
    push = [f[k + 1 : k + 2 * w] if ball or leap[k] < 0 else np.diff(v[k : k + 2 * w]) for k in at]
    hit = np.array([k + 1 + np.argmax(p) for k, p in zip(at, push, strict=True)], int)
    speed = np.abs(np.convolve(v, np.full(20, 0.05), "valid"))
    end = np.flatnonzero(speed > max(0.15 if ball else 0.05, 0.9 * s))[-1] + 20
    end = min([end, *hit[-mean[at] < 0.5 + 2 * s / w**0.5]]) if ball else end  # as the task tells
    early = hit < min(end, len(v) - 2)
    return hit[early], leap[at[early]] > 0, end - 19 * ball


def fly(x: Any, v: Any, f: Any, t: Any) -> str:
    """In flight v falls by the sum of pull + drag * law(v); hits give restitution and mass."""
    ball, n, rows = SYSTEM == "BallDrop", len(v), np.arange(len(v))
    w, pad = (4, 2) if ball else (3, 6)
    hit, left, end = find_hits(x, v, f, w, ball)
    starts = np.searchsorted(hit, rows, "right")[:, None] == np.arange(len(hit) + 1)
    use = (rows < end) & (np.abs(rows[:, None] - np.r_[-99, hit]).min(1) > pad)
    fall = np.column_stack([np.ones(n), v * np.abs(v) if ball else v]) * (t[0] - t[-1]) / (n - 1)
    fall[hit] = fall[hit - 1]
    model, sums = np.column_stack([starts, fall.cumsum(0)]), fall.cumsum(0)
    basis = np.linalg.qr(model[use])[0]
    scans = [(model, np.array([n]), lift(v[use], basis, model[use, -1:])[0])]
    for law in (0, 1):
        at, seen, cost = np.linspace(0.1 * n, 0.9 * n, 49).astype(int), rows[:0], v[:0]
        for stride in (n // 400, 2, 1, 1):
            later = np.where(rows[:, None] >= at, sums[:, law, None] - sums[at - 1, law], 0.0)
            seen, cost = np.r_[seen, at], np.r_[cost, lift(v[use], basis, later[use])[0]]
            at = np.clip(seen[np.argmin(cost)] + stride * np.arange(-8, 9), 2, n - 2)
        scans.append((np.column_stack([model, later[:, np.argmin(cost[-17:])]]), seen, cost))
    return weigh(v, f, use, hit, left, scans)


def weigh(v: Any, f: Any, use: Any, hit: Any, left: Any, scans: Any) -> str:
    """The cheapest of: no change, restitution of a wall, pull, drag, mass."""
    ball, count = SYSTEM == "BallDrop", scans[0][0][use, : len(hit) + 1].sum(0)
    noise = min(c.min() for *_, c in scans) / max(use.sum() - 2 * len(count), 10) + 1e-18
    costs, extra, flat = [], GAIN + WANDER * ball, scans[0][2][0] / noise / FREE
    for law, (model, seen, cost) in enumerate(scans):
        weight = np.linalg.lstsq(model[use], v[use])[0]
        first, curve = weight[: len(count)], model[:, len(count) :] @ weight[len(count) :]
        k = np.flatnonzero((count[:-1] > 0) & (np.abs(first[:-1] + curve[hit]) > 0.2))
        h, few = hit[k], np.minimum(count[k], np.maximum(count[k + 1], 3))
        pre = first[k] + curve[h]
        post = np.where(count[k + 1] > 0, first[k + 1] + curve[h], (v[h] + v[h + 1]) / 2)
        kick = post - pre - curve[h + 1] + 2 * curve[h] - curve[h - 1]
        sd = np.sqrt(1e-4 + noise * (2.25 + 36 / few) / pre**2)
        bounce = [split(h[m], -(post / pre)[m], sd[m], np.r_[0, h[m]]) for m in (left[k], ~left[k])]
        sd = np.sqrt(1e-4 + 4 * noise * ((f.max() / f[h] / np.ptp(v) * 2) ** 2 + 1 / few / kick**2))
        m = (f[h] > 8 * sigma(f)) & (left[k] == ball)
        mass = split(h[m], np.log(f[h] / np.abs(kick))[m], sd[m], np.r_[0, seen])
        steady = bounce[0][0] + bounce[1][0]
        cost = cost / noise / FREE
        lost = ball and law == 1 and weight[-3] + weight[-1] < 0.1 * weight[-3]  # gravity stays
        costs.append(cost.min() + steady + mass[0] + (law > 0) * extra + 1e9 * lost)
        if law == 0:
            costs += [costs[0] + part.min() - part[0] + GAIN for part in bounce]
    costs.append((np.minimum(flat, cost + extra - GAIN) + mass[1:]).min() + steady + GAIN + 8)
    falls = ("restitution", "-", "gravity", "drag", "mass")
    rails = ("left wall", "right wall", "inclination", "damping", "weight")
    return ("no parameter change", *(falls if ball else rails))[int(np.argmin(costs))]


def slide(v: Any, f: Any, force: Any, t: Any) -> str:
    """Gravity or angle move the normal force; else friction over it, else who holds and slips."""
    n, rows, dt = len(v), np.arange(len(v)), (t[-1] - t[0]) / (len(t) - 1)
    cost = split(rows, force, np.full(n, sigma(force)), np.r_[0, 10 : n - 10])
    at, ones, push = int(np.argmin(cost)) + 9, np.ones(n), f.cumsum() * dt
    later, periods = np.maximum(0, rows - at + 1) * dt, np.geomspace(0.25, 5.0, 999)
    pulses = t[:, None] % periods < 0.1 * periods - 1e-9
    basis = np.linalg.qr(np.column_stack([ones, push, t, later]))[0]
    pulse = pulses[:, np.argmin(lift(v, basis, pulses.cumsum(0) * dt)[0])]
    kicks = pulse.cumsum() * dt
    if cost[0] - cost.min() > 60:
        before, after, misfit = force[:at].mean(), force[at:].mean(), []
        basis = np.linalg.qr(np.column_stack([ones, kicks]))[0]
        old = before * np.tan(np.radians(np.arange(1.0, 80.0, 0.5)))
        for new in (old * after / before, np.sqrt(before**2 + old**2 - after**2)):
            path = push[:, None] - old * t[:, None] - (new - old) * later[:, None]
            left, mass = lift(v, basis, path)
            misfit.append(np.where(mass > 0, left, np.inf).min())
        return "gravity" if misfit[0] < misfit[1] else "inclination"
    table = np.column_stack([ones, kicks, t, push])
    weight = np.linalg.lstsq(table, v)[0]
    noise, mass = np.std(v - table @ weight), 1 / weight[3]
    way = np.sign(v) * (np.abs(v) > max(0.05, 4 * noise))
    sure = way * (maximum_filter1d(way, 5) == -maximum_filter1d(-way, 5))
    ratio = -way * f / force.mean()
    sd = np.hypot(sigma(f) / force.mean(), 0.05 * np.median(np.r_[ratio[sure != 0], 1.0]))
    edges, ways = np.r_[0, 20 : n - 20 : 4], (sure < 0, sure > 0)
    cost = np.sum([split(rows[m], ratio[m], sd, edges) for m in ways], 0)
    if cost[0] - cost.min() > 30:
        return "Coulomb"
    need = mass * (weight[1] * pulse + weight[2] + np.r_[0, (v * (way != 0))[:-1]] / dt)
    need = maximum_filter1d(np.abs(need), 3, origin=1)
    past = np.max([way * np.roll(way, k) for k in (1, 2, 3)], 0)
    gone = np.flatnonzero((past < 1) & (way * np.roll(way, -1) > 0) & (rows > 3))
    held = -maximum_filter1d(-np.abs(f) * (way == 0), 3)
    slips = weight[3] > 1e-3 and gone.size and held.max() > 0.87 * need[gone].min()
    return "breakaway" if slips else "no parameter change"
