"""Source code and settings files: kept as they are written, cut between definitions, with their lines."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from reverie.domain.memory import Place
from reverie.domain.text import collapse, has_words, shorten
from reverie.i18n import _
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part
from reverie.ingest.extractors.files import read_text

_LONGEST = 1200  # characters of a part: about one memory
_LONGEST_NAME = 80
_LOOKED_AT = 40  # lines of a block, for what it defines
_DEFINITION = re.compile(
    r"(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|unsafe|pub(?:\([^)]*\))?"
    r"|create|or|replace)[ \t]+)*+"
    r"(?:def|class|function|fn|func|interface|struct|enum|trait|impl|module|namespace|type|record|table|view|procedure)"
    r"\b[ \t]+[\w(][^{=;]*+",
    re.IGNORECASE,
)
_SECTION = re.compile(r"\[{1,2}[^\[\]\n]+\]{1,2}[ \t]*(?:[#;].*)?|[\w.\"'/-]+:[ \t]*(?:[#|>&].*)?")
_ABOVE = ("@", "#", "//", "/*", " *", "*", "--", ";", '"')  # what may stand right above a definition
_CLOSER = ("}", ")", "]", "end", "else", "elif", "except", "finally", "catch")

# Each line: the language as Markdown names it, and its suffixes.
_LANGUAGES = """
yaml .yaml .yml
toml .toml
ini .ini .cfg .conf .properties
python .py .pyi
javascript .js .mjs .cjs .jsx
typescript .ts .tsx
java .java
kotlin .kt .kts
scala .scala
go .go
rust .rs
c .c .h
cpp .cpp .cc .cxx .hpp .hh
csharp .cs
swift .swift
ruby .rb
php .php
perl .pl .pm
lua .lua
r .r
julia .jl
sh .sh .bash .zsh .fish
powershell .ps1
batch .bat .cmd
sql .sql
dart .dart
elixir .ex .exs
erlang .erl
haskell .hs
clojure .clj
lisp .el .lisp
vim .vim
css .css .scss .less
vue .vue
svelte .svelte
gradle .gradle
cmake .cmake
protobuf .proto
graphql .graphql
terraform .tf
nix .nix
zig .zig
asm .asm
xml .xsl .xslt .xsd
diff .diff .patch
"""
_LANGUAGE_OF = {
    suffix: line.split()[0] for line in _LANGUAGES.strip().splitlines() for suffix in line.split()[1:]
}


def extract(path: Path, limits: Limits) -> Extracted:
    read = read_text(path, limits)
    return from_code(read.text, _LANGUAGE_OF.get(path.suffix.lower(), ""), read.note)


def from_code(text: str, language: str = "", note: str = "") -> Extracted:
    """Blocks of a source text, fenced as Markdown, each with its lines (row, row_end) and, as heading, the
    definition or section that it begins with. Raises NoText."""
    if not has_words(text):
        raise NoText(_("The file holds no words"), hint=_("Put some text into it, then retry"))
    lines = text.split("\n")
    parts: list[Part] = []
    for start, end in _blocks(lines):
        heading = _heading(lines[start:end])
        for first, last in _slices(lines, start, end):
            parts.append(_part(lines, first, last, heading, language))
    return Extracted(tuple(parts), {"language": language} if language else {}, note)


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(start, end): a definition at the left margin to the next; what defines nothing goes together up to a size."""
    start, size, named = 0, 0, False
    for index, line in enumerate(lines):
        fresh = line[:1].strip() and (index == 0 or not lines[index - 1].strip())
        if fresh and not line.startswith(_CLOSER):
            defines = bool(_name(_defining(lines, index)))
            if index > start and (named or defines or size > _LONGEST):
                yield start, index
                start, size, named = index, 0, defines
            named = named or defines
        size += len(line) + 1
    yield start, len(lines)


def _defining(lines: Sequence[str], index: int) -> str:
    """The line that comments, decorators and attributes at ``index`` belong to; "" for none."""
    near = lines[index : index + _LOOKED_AT]
    return next((line for line in near if not line.startswith(_ABOVE)), "")


def _heading(lines: Sequence[str]) -> str:
    return next((name for line in lines[:_LOOKED_AT] if (name := _name(line))), "")


def _name(line: str) -> str:
    line = line[:400]
    found = _DEFINITION.match(line) or _SECTION.fullmatch(line)
    return shorten(collapse(found[0]).rstrip(" :{"), _LONGEST_NAME) if found else ""


def _slices(lines: Sequence[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    """A block in pieces of up to _LONGEST characters, cut at a blank line where one is near."""
    while start < end:
        size, stop, blank = 0, start, 0
        while stop < end and (size + len(lines[stop]) <= _LONGEST or stop == start):
            size += len(lines[stop]) + 1
            if not lines[stop].strip() and size * 2 > _LONGEST:
                blank = stop
            stop += 1
        if stop < end and blank:
            stop = blank
        if any(line.strip() for line in lines[start:stop]):
            yield start, stop
        start = stop


def _part(lines: Sequence[str], start: int, end: int, heading: str, language: str) -> Part:
    while not lines[start].strip():
        start += 1
    while not lines[end - 1].strip():
        end -= 1
    text = "\n".join(lines[start:end])
    fence = "```"
    while fence in text:
        fence += "`"
    return Part(f"{fence}{language}\n{text}\n{fence}", Place(row=start + 1, row_end=end, heading=heading))


EXTRACTOR = Extractor("code", tuple(_LANGUAGE_OF), extract)
