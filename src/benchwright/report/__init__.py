"""Pages that open from a folder by double click: no server, no network, nothing computed.

Takes tables and records; gives a static site. Knows no suite; suites hand it pages and blocks.
"""
