"""What the paper states about its 800 analyses, as data, and what follows from it.

Takes `published.toml`; gives each statement beside the figure that the others lead to, and the
kappas that were published beside ours. Knows no label of anybody.
"""
