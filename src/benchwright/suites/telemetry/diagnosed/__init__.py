"""Diagnosis of conversations: where a failed one broke, and what a reader of less would have seen.

Takes records that were scored; gives checks, facts and rows without averaging anything. Reads the
gold and the record, runs nothing.

    told.py        one scored conversation, opened: script, duties, record, outcomes
    links.py       the first broken link of source, contract, call, result, state, words
    invariants.py  what must agree within a record, whatever was answered
    views.py       which facts stand in the last reply, in all replies, in the records of calls
    failures.py    one row per failed conversation, with digests of contract, record and sheet
"""
