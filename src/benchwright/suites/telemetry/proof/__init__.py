"""Proof that the evaluator is right: what it must refuse, by which name, and what it must accept.

Takes a conversation and the store that it was made on; makes records that break one obligation and
records that break none, out of the moves of a perfect agent. Calls are really made, so answers and
handles are those that an agent would get. Reads obligations and script; knows of the evaluator only
what it says.

    steps.py       the moves of a perfect agent, each with its phase, and how they are changed
    answers.py     a store that is called, and what else could have been meant
    asking.py  calling.py  stating.py  citing.py    mutations, by what they change
    mutations.py   for every obligation the records that break it
    rewriting.py  reordering.py  restating.py       controls, by what they change
    controls.py    records that are as good as the canonical one
    final_only.py  a scorer that reads the last answer and nothing else
    batches.py     all rows of a set, in processes
    row.py  coverage.py    what both scorers say of all of them, for a row and for a set
    channels.py    the same conduct in fields and in sentences, judged in both
"""
