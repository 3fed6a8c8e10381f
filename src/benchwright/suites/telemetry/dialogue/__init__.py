"""Dialogue: a row becomes a conversation with an operator who follows a script and no model.

Takes a row and the store it was made on; gives a `Script`: what is withheld, phases in order with
turn, state, calls, gold and where each value came from, and the history of stages that made them.
Knows no agent and no score.

    model.py      the records
    modes.py      which slot a family withholds at first, by a typed branch
    policy.py     policies: reporting, preference, which instant is asked about
    wording.py    words of turns, and references that resolve to bindings
    phases.py     one phase from calls, state and gold
    stages.py  revisions.py  endings.py   the stages, each of which adds or changes one thing
    lift.py       all stages in order
    reply.py      what an agent can state in a reply
    operator.py   the state machine that speaks the script
    canonical.py  the moves of a perfect agent, and the record that they would leave
"""
