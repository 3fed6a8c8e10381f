"""Rows: a chosen question with everything that says what its right answer is.

Takes a candidate and a store; gives a `Row`: words, canonical calls with their answers,
alternatives that are accepted, gold, evidence, verifier. Every value in it is the answer of an
operation. Knows no turn and no operator; fields are on docs/families.md.

    times.py         the five forms in which questions tell times, each with its way back
    wording.py       the words of a question
    calls.py         canonical calls and what they answer
    alternatives.py  other calls that are as good, each executed
    gold.py          action, reason and fields
    evidence.py      what was read
    row.py           all of it together
"""
