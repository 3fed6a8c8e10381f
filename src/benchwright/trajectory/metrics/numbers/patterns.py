"""What lines look like that tools, shells, interpreters and compilers print around results."""

from __future__ import annotations

import re

from benchwright.trajectory.metrics.lists import listed

ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])")

HEAD = re.compile(
    r"(?:Exit code:? -?\d+|exitcode: -?\d+ \(.*\)|Chunk ID: \w+|Wall time: [\d.]+ seconds?|"
    r"Process (?:exited with code -?\d+|running with session ID \d+)|Original token count: \d+|"
    r"Total output lines: \d+|(?:Output|Stdout|Stderr):|Command: .*|Directory: .*|"
    r"</?(?:returncode|output|exit_code|result|file|path|type|content|stdout|stderr|error)>.*)\s*$"
)
"""Lines of a tool before its output; an empty line may stand between them."""
LABEL = re.compile(r"(?:Output|Stdout|Code output): ")
TAIL = re.compile(
    r"(?:Process Group PGID: \d+|Background PIDs: .*|Exit Code: .*|Signal: .*|Error: \(none\)|"
    r"Stderr: \(empty\)|Shell cwd was reset to .*|Command exited with code \d+|"
    r"\[(?:The command completed|Command finished|Current working directory|Python interpreter).*|"
    r"\((?:End of file|File has more lines|Showing|Results? (?:are|is) truncated|exit code).*|"
    r"</?(?:returncode|output|exit_code|result|file|path|content|stdout|stderr|error|metadata)>.*)"
    r"\s*$"
)
CUT = re.compile(
    r"\[\.\.\. (?:omitted|removed) \d+ of \d+ lines|…\d+ (?:tokens|chars|lines) truncated…|"
    r"(?:\[|\.\.\. ?\[?)\d+ (?:lines|characters|chars|bytes|tokens) (?:truncated|omitted|hidden)|"
    r"^Output too large \(|Full output saved to:|^Preview \(first |persisted-output>"
)
CUT_MARKS = ("omitted", "removed", "truncated", "hidden", "Full output", "Preview (", "persisted-")
"""One of these stands in every text that has a line of `CUT`."""
SUMMARY = re.compile(
    r"Found \d+ (?:total )?(?:files?|lines?|match(?:es)?|occurrences?|results?)\b.*"
    r"|\(?\d+ (?:match(?:es)?|results?|files?)(?: found)?\)?\s*$"
)

PATH_HIT = re.compile(r"([^\s:]*[./][^\s:]*?)(?::(?:\d+:(?:\d+:)?)?|-\d+-)")
LINE_HIT = re.compile(r"\d+[:-](?:\d+:)?")
NUMBERED = re.compile(r"\s*L?\d+(?:→|\t|\| ?|: )")
NODE = re.compile(r"\s*\[\d+\] (?=[A-Za-z])")

HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
FENCE = re.compile(r"\s*(?:`{3,}|~{3,})\s*\{?\.?([\w+#-]*)")
LANGUAGES = listed("fence_languages")
"""Tags of fences that hold programs, styles, templates or queries."""

CARET = re.compile(r"\s*(?:\d*\s*[|│])?\s*[~^][~^\s-]*$")
FRAME = re.compile(r"\s*(?:[>❯]\s*)?\d*\s*[|│](?!.*[|│])")
MARKED = re.compile(r"\s*[>❯]\s*\d+\s*[|│]")

HEXDUMP = re.compile(r"[0-9a-f]{6,8}:?\s+(?:(?:[0-9a-f]{2}|[0-9a-f]{4})\s+){3,}")
LISTING = re.compile(
    r"(?:\s*\d+\s+)?[bcdlpsDPw-](?:[r-][w-][xsSt-]){2}[r-][w-][xtT-][@+.]?\s+(\d+)\s+"
    r"[^\s\d]\S*(?:\s+[^\s\d]\S*)?\s+([\d.,]+[BKMGTP]?)\s+"
    r"(?=[A-Z][a-z]{2}\s|\d{1,2}\s+(?:[A-Z][a-z]{2}|\d{1,2})\s|\d{4}-)"
)
"""Groups: number of links, size."""
MODE = re.compile(r"\s*(?:(?:create|delete|new file|deleted file|old|new) mode|mode change) \d{6}|"
                  r"index [0-9a-f]{4,}\.\.[0-9a-f]{4,}")  # fmt: skip
BACKGROUND_JOB = re.compile(r"\[\d+\][+-]?\s+\d+(?:\s+[a-z]+.*)?$")
PROCESS_COLUMNS = frozenset({"PID", "PPID", "PGID", "SID", "TGID", "LWP", "TID"})

STACK = re.compile(
    r"\s+at (?:.*[(:])?\S*:\d+(?::\d+)?\)?\s*$|\s+at .+\(.*\)\s*$|\s*File \"[^\"]*\", line \d+|"
    r"goroutine \d+ \[|\s+\S+\.go:\d+(?: \+0x[0-9a-f]+)?\s*$|\s*-+> \d+ "
)
SEVERITY = re.compile(
    r"(?P<lead>.*?)(?<![\w.-])(?:"
    r"(?:(?i:warning|warn|error|err|fatal|critical|severe|panic)|"
    r"[A-Za-z_][\w.]*(?:Error|Exception|Warning))(?:\[\w+\]|\([\w-]+\))?[\])!]*\s*:"
    r"|\[?(?:WARN|WARNING|ERROR|FATAL|CRITICAL|PANIC)[\]!]?(?=\s|$)"
    r"|\[(?:warn|warning|error|fatal)\](?=\s)"
    r"|E {3,}(?=\S))"
)
"""A word for a severity, as the level of a log line or before a colon; `lead` stands before it."""
LOCATION = re.compile(
    r"\s*(?:❯\s+|-->\s+)?(?:[\w.~/@+-]*/[\w.~@+-]+|[\w.~@+-]+\.[A-Za-z]\w*)"
    r"(?::\d+(?::\d+)?:?\s+\S|\(\d+(?:,\d+)?\):?\s)"
    r"|\S+: line \d+: "
)
PROMPT = re.compile(
    r"(?:\([\w.-]+\)\s*)?[\w.-]+@[\w.-]+[: ][^#$%>]{0,120}[#$%>]\s+\S|\s*\$ [A-Za-z./~]|"
    r">>> |\.\.\. \S|In \[\d+\]:"
)
CODE = re.compile(
    r"^\s*(?:(?:from|import|def|class|return|const|let|var|function|export|if|for|while|else|elif|"
    r"try|except|func|type|package|public|private|static|async|await|switch|case|struct|enum|use|"
    r"interface|fn|pub|mod|impl|with|raise|assert|yield|lambda|print|@\w+)\b|#|//|/\*|\*\s|<!?/?\w)"
    r"|[;{(]\s*$|=>|^\s*[)}\]]+[;,]?\s*$"
)
"""What programs look like, for outputs that show one beside other things."""
