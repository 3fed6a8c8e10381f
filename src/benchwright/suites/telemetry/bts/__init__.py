"""Archives of pickled streams, the layout of the BTS corpus, read without ever unpickling.

Takes a zip archive of members `[identifier, times, values]`; gives one Parquet file with lineage:

    made = read_archive(Path("Site_A.zip"), Path("raw/site_a"), ArchiveLimits(), Layout())
    made.observations        # Parquet: stream_id, row, time (ms, UTC), value
    made.lineage.streams     # per member: checksum, stream id, rows kept, rows dropped and why
    made.lineage.source      # checksum of the archive

`read_archive` may be called for each archive through any executor: it takes and gives records. A
second call finds what is there and reads nothing but the archive's checksum; `open_converted`
does not even need the archive. A refused archive is one `FormatError` and leaves no lineage.
The Parquet file is a long source of a corpus: stream `stream_id`, value `value`, time `time` with
its own offset (UTC). `writer.write_archive` makes archives of the same layout from a seed and
stream ids, for the shipped corpus and for tests.

The zip and every pickle are read in a child process that can do nothing but read, write and compute
(`isolation.confined`), by code of ours that knows what a stream needs (`inside`); names in a pickle
are never looked up. Knows neither graphs, units, nor what a series means.
"""

from benchwright.suites.telemetry.bts.convert import (
    Converted,
    members,
    open_converted,
    read_archive,
)
from benchwright.suites.telemetry.bts.limits import ArchiveLimits, Layout
from benchwright.suites.telemetry.bts.lineage import Lineage, StreamRecord

__all__ = [
    "ArchiveLimits",
    "Converted",
    "Layout",
    "Lineage",
    "StreamRecord",
    "members",
    "open_converted",
    "read_archive",
]
