"""The suite tracebench: which parameter of a simulated system stepped, if any?

Takes a build spec; gives task sets of time series with a closed list of labels, their scorer and
the reference agents. Knows neither how an episode is run nor how figures are averaged.
"""
