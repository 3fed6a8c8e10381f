"""Drafts of corpus files: what CSV files tell about themselves, and marks where a person must say.

Takes a folder; gives the text of a corpus file that loads. No model, nothing drawn, and no guess
without a comment that begins with `CHECK:`. The same folder gives the same bytes.

    shape     one file: encoding, delimiter, header, decimal sign
    cells     one column: numbers, tokens that stand for none, words
    clocks    which column is the time, how it is written, which zone would fit
    sheets    one file with all of that, wide or long; files of one header as a group
    naming    what names of files have in common; ids
    channels  what a column holds: kind, sentinels
    steps     how often readings are due
    holdout   a default contract
    tables    a table of points
    lines     TOML with comments
    draft     all of it
"""

from benchwright.suites.telemetry.drafting.draft import Draft, draft, write_draft

__all__ = ["Draft", "draft", "write_draft"]
