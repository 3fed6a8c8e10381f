"""Any log to ATIF v1.8: events in, valid documents out, and a list of what was lost on the way.

Memory holds an index; steps and results wait in a temporary file until their place is known.
"""
