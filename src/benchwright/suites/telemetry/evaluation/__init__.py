"""Evaluation: from the record of a conversation to what became of every obligation.

Takes frozen duties, the script and the record of a session; gives a check per obligation. Pure: no
store, no clock, no model. The record is what the host wrote, so nothing in it is the agent's word
but its arguments and its replies.

    trace.py     the record as calls and replies, followed by the operator's own state machine
    aligned.py   which call stands for which canonical one: a best assignment
    stated.py    fields of replies against golds
    asides.py    fields that no gold asks for against what is known
    guessed.py   whether a call uses what was not yet told
    judged.py    one judgement per obligation
    evaluate.py  all of them, and the first that is broken
"""
