"""Families: every question that a corpus can ask, and the choice of those that become rows.

Takes a store; gives candidates, how many there were of each kind and why others were none, margins
of the training part, and a selection in a fixed order. Knows no wording and no task. The rules are
on docs/families.md; `suites.telemetry.audit` implements them a second time.

    model.py        candidates, counts, variants, keys and draws
    inventory.py    what questions are made of: points, groups, aggregates per period, thresholds
    points.py  readings.py  clock.py  means.py  quality.py  contests.py    the families
    sink.py         candidates are offered to it; it counts, finds the part, and keeps
    enumerate.py    all of them on one store
    select.py       order, dev, cells, caps, quotas, for one kind
    selected.py     the selection of a whole corpus, with its counts
    manifest.py     the selection as lines, and what differs from a frozen one
"""
