"""Whether a sentence states plainly what was read in it: nothing is left that adds to it.

Hedging, doubting, denying and quoting cannot be listed, so what may stand beside a statement is
listed instead: any other word, a number that is not bound, and any sign but plain punctuation make
the sentence one that cannot be read.
"""

from __future__ import annotations

import re
from typing import Final

_PLAIN: Final = """
    a an all the this that these those it its their they i we my our you your me us there here which
    is are was were be being has have had gives gave give comes came shows showed lies lay take
    took taken use used using find found get got looked look see stands stated state checked
    inspected retrieved resolved returned returns called computed calculated based rests resting
    cite cited citing read reads measured recorded
    of for in on at from to with by as over during into through until than
    and so also then again thus therefore hence because both too well finally together
    week weeks day days month months hour hours minute minutes window windows period periods time
    times instant timestamp date year interval stream streams sensor sensors meter meters point
    points building buildings site sites substation plant room zone equipment unit units data
    reading readings value values measurement measurements observation observations result results
    handle handles call calls tool lookup look-up quality evidence question request requested asked
    summary short exact exactly precise precisely conclusion detail details action reason
    revised new given nearest whole full same final overall total latest corresponding following
    entire complete calendar
    monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december
    yes ok okay please thanks thank sure done
    supply return power energy pressure air water flow heat heating cooling temperature humidity
    setpoint outdoor indoor thermal electric electrical ambient primary secondary
    deg degree degrees celsius fahrenheit kelvin c f k °c °f ° °k w kw mw wh kwh mwh gwh j kj mj gj
    pa hpa kpa mpa bar mbar ppm ppb lux lx hz v kv ma l m m2 m3 m² m³ kg g s ms min h % rh
    l/s l/h m3/h m³/h m/s kg/s kg/h kwh/m2 w/m2 w/m² µg/m3 µg/m³ db rpm
"""
WORDS: Final = frozenset(_PLAIN.split())
"""What may stand beside a statement."""
_GONE: Final = re.compile(
    r"<[ihptq]\d+>|\u00a7|\bup to (?=<t\d+>)|\blooked up\b|\bto be (?=exact|precise)"
)
_WORD: Final = re.compile(r"[^\W_]+(?:[/'-][^\W_]+)*|[°%](?:[a-z]\b)?")
_SIGNS: Final = re.compile(r"[\s.,:;()!\u2013\u2014#*|_\[\]>-]*")
RETRACTS: Final = re.compile(
    r"\b(?:wrong|false|untrue|incorrect|mistaken?|mistakes?|nonsense|doubt|doubtful|disregard"
    r"|ignore|withdraw|withdrawn|retract|scratch that|take (?:it|that) back|nobody|neither)\b"
)
"""Words by which a sentence takes back what it, or the one before it, states."""


def is_plain(left: str) -> bool:
    """Whether what is left of a sentence, once statements are taken out, adds nothing to them."""
    rest = _GONE.sub(" ", left)
    if any(word not in WORDS for word in _WORD.findall(rest)):
        return False
    return _SIGNS.fullmatch(_WORD.sub(" ", rest)) is not None
