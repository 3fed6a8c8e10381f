"""Obligations: all that a conversation asks of an agent, a record each, frozen with a hash.

Takes a script and a contract; gives obligations with what each of them needs. Cannot import the
evaluator: what is asked is settled before anything is scored.
"""
