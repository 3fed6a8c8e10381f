"""Files that are whole or absent, say what they are, and are read by their types.

Takes paths and plain values; gives atomic writes, safe joins, decoded files and typed records. A
damaged file is one `FormatError` with file and key. Machines' files keep unknown keys, those of
people are refused with the nearest known name; a file with a newer number than this version knows
is refused, never guessed at. Knows no record of any other module.
"""

from benchwright.storage.partial import Partial
from benchwright.storage.paths import safe_join
from benchwright.storage.people import explain, finding, nearest, read_model
from benchwright.storage.reading import (
    check_format,
    read_bytes,
    read_headed_lines,
    read_json,
    read_json_lines,
    read_text,
    read_toml,
)
from benchwright.storage.writing import (
    exchange,
    link_or_write,
    replacing,
    without_absent,
    write_bytes,
    write_json,
    write_text,
    write_toml,
)

__all__ = [
    "Partial",
    "check_format",
    "exchange",
    "explain",
    "finding",
    "link_or_write",
    "nearest",
    "read_bytes",
    "read_headed_lines",
    "read_json",
    "read_json_lines",
    "read_model",
    "read_text",
    "read_toml",
    "replacing",
    "safe_join",
    "without_absent",
    "write_bytes",
    "write_json",
    "write_text",
    "write_toml",
]
