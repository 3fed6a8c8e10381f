"""Tables of labels: how often which pattern was found, by system, kind, domain, stage and pillar.

Takes the labels of one rater and the taxonomy; gives grids. Every cell counts distinct trajectories
once; a partial is never a hit. Knows no file of labels, no agent and no page.
"""
