"""Opening a file and decoding its text; every way in which that fails is a clear word."""

import codecs
import errno
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from reverie.domain.text import clean
from reverie.i18n import _
from reverie.ingest.extractors.base import MEGABYTE, Limits, TooLarge, Unreadable

HEAD = 8192  # bytes looked at to tell what a file is
SLICE = 2 * MEGABYTE  # bytes of a very large text that are read at once: about ten seconds of work
_BORDER = 64 * 1024  # bytes before a cut in which a line end or a space is looked for


@dataclass(frozen=True, slots=True)
class Text:
    """The decoded, cleaned text of a file. ``cut`` tells that only its first part was read, ``goes_on_at`` the
    byte at which the next slice begins (0: there is none)."""

    text: str
    note: str = ""
    cut: bool = False
    goes_on_at: int = 0


def display_name(path: Path) -> str:
    """The file's name as it can be shown and stored: bytes that are no UTF-8 become U+FFFD, control characters blanks."""
    return "".join(c if c.isprintable() else " " for c in clean(path.name)).strip() or _("unnamed")


@contextmanager
def opened(path: Path) -> Iterator[tuple[BinaryIO, int]]:
    """The open file and its size in bytes. Raises Unreadable for what is no readable regular file."""
    try:
        # Looked at before it is opened: opening a pipe would wait for a writer.
        require_regular(path, path.stat())
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size == 0:
                raise Unreadable(
                    _("The file is empty"),
                    hint=_("If it was still being copied, try again"),
                    retryable=True,
                )
            yield file, size
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:  # a NUL in the name
        raise impossible_name(path) from error


def impossible_name(path: Path) -> Unreadable:
    return Unreadable(_("No file can have this name"), detail=display_name(path), hint=_("Check the name"))


def require_regular(path: Path, status: os.stat_result) -> None:
    """Raises Unreadable for a folder, a pipe, a socket or a device."""
    if stat.S_ISDIR(status.st_mode):
        raise Unreadable(
            _("“{name}” is a folder").format(name=display_name(path)),
            hint=_("Add the files in it, or watch the folder"),
        )
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable(
            _("“{name}” is no ordinary file").format(name=display_name(path)),
            detail=_("Pipes, sockets and devices are not read"),
            hint=_("Save its content to a file first"),
        )


def unreadable(path: Path, error: OSError) -> Unreadable:
    """What the system says of a file that it does not let us read, in words."""
    name = display_name(path)
    if isinstance(error, FileNotFoundError):
        return Unreadable(
            _("“{name}” is not there").format(name=name),
            detail=_("It was moved or deleted, or a link to it is broken"),
            hint=_("Check the name, or add the file again"),
            retryable=True,
        )
    if isinstance(error, PermissionError):
        return Unreadable(
            _("No permission to read “{name}”").format(name=name),
            hint=_("Allow reading the file and its folder, then retry"),
            retryable=True,
        )
    if error.errno == errno.ELOOP:
        return Unreadable(
            _("“{name}” is a link that leads back to itself").format(name=name),
            hint=_("Add the file itself"),
        )
    if error.errno == errno.ENAMETOOLONG:
        return Unreadable(_("The name is too long"), hint=_("Give the file a shorter name"))
    return Unreadable(
        _("“{name}” can't be read").format(name=name),
        detail=clean(error.strerror or ""),
        hint=_("Check the disk or drive that it lies on, then retry"),
        retryable=True,
    )


def head(path: Path) -> bytes:
    """The first bytes. Raises Unreadable, also for an empty file."""
    with opened(path) as (file, _size):
        return file.read(HEAD)


def require_size(size: int, limit: int, limits: Limits) -> None:
    """Raises TooLarge over the limit, unless a person has said otherwise."""
    if size > limit and not (limits.first_part or limits.anyway):
        raise TooLarge(
            _("The file has {size}; the limit is {limit}").format(
                size=size_text(size), limit=size_text(limit)
            ),
            hint=_("Read the first {limit}, or ingest it anyway").format(limit=size_text(limits.text_bytes)),
        )


def size_text(size: int) -> str:
    """A number of bytes as a person reads it."""
    if size < MEGABYTE:
        return _("{number} KB").format(number=max(1, round(size / 1024)))
    number = size / MEGABYTE
    return _("{number} MB").format(number=f"{number:.3g}" if number < 100 else round(number))


def read_text(path: Path, limits: Limits) -> Text:
    """The text of a text file. A file over the limit is refused before it is read, or read in part.

    Raises Unreadable (binary, no permission, ...) and TooLarge.
    """
    with opened(path) as (file, size):
        require_size(size, limits.text_bytes, limits)
        cut = size > limits.text_bytes and limits.first_part
        data = file.read(limits.text_bytes if cut else -1)
    text, note = decode(_at_border(data) if cut else data)
    if cut:
        part = _("Only the first {limit} of {size} were read").format(
            limit=size_text(len(data)), size=size_text(size)
        )
        note = join_notes(part, note)
    return Text(clean(text), join_notes(note), cut)


def read_slice(path: Path, limits: Limits) -> Text:
    """What ``read_text`` gives; but of a text over the limit that is to be read anyway, a slice from ``limits.start``.

    Memory is bounded then. Texts in UTF-16 and UTF-32, which can't be begun anywhere, are read whole.
    """
    with opened(path) as (file, size):
        start = file.read(HEAD)
        wide = start.startswith(_WIDE_BOMS) or looks_binary(start)
        if wide or not limits.anyway or size <= limits.text_bytes:
            return read_text(path, limits)
        file.seek(limits.start)
        data = file.read(SLICE)
    is_last = limits.start + len(data) >= size
    data = data if is_last else _at_border(data)
    text, note = decode(data, limits.start)
    return Text(clean(text), join_notes(note), goes_on_at=0 if is_last else limits.start + len(data))


def join_notes(*notes: str) -> str:
    return " ".join(note.rstrip(".") + "." for note in notes if note)


def _at_border(data: bytes) -> bytes:
    """Cut after the last line end, else the last space, else between two characters."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data[: len(data) // 2 * 2]
    near_end = len(data) - _BORDER
    for border in (b"\n", b" "):
        place = data.rfind(border, max(0, near_end))
        if place > 0:
            return data[: place + 1]
    end = len(data)
    while end > len(data) - 4 and data[end - 1 : end] and 0x80 <= data[end - 1] < 0xC0:
        end -= 1
    return data[: end - 1] if data[end - 1] >= 0xC0 else data[:end]


# Decoding

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE_BOMS = tuple(mark for mark, encoding in _BOMS if encoding != "utf-8")
_ESCAPED = re.compile("[\udc80-\udcff]")
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r\f\v\b\x1a\x1b") + b"\x7f"


def decode(data: bytes, offset: int = 0) -> tuple[str, str]:
    """(text, note). By byte order mark, else UTF-8, UTF-16 without one, GB18030, Shift-JIS, Windows-1252.

    ``offset``: the place of the first byte in its file, for the note.
    The note names the place of the first byte that is not UTF-8. Raises Unreadable for what is no text.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _decode_as(data[len(mark) :], encoding, len(mark) + offset)
    if looks_binary(data[:HEAD]) or looks_binary(data[-HEAD:]):
        wide = _wide_encoding(data)
        if wide is None:
            raise Unreadable(
                _("This is no text"),
                detail=_("The file holds binary data"),
                hint=_("If it is a document, save it as text, PDF or an office file and add that"),
            )
        return _decode_as(data, wide, offset)
    return _decode_as(data, "utf-8", offset)


def _decode_as(data: bytes, encoding: str, offset: int) -> tuple[str, str]:
    try:
        return data.decode(encoding), ""
    except UnicodeDecodeError as error:
        first_bad = error.start + offset
    if encoding != "utf-8":
        note = _("Damaged text at byte {offset}; what could not be read is shown as �").format(
            offset=first_bad
        )
        return data.decode(encoding, "replace"), note
    text, name = _legacy(data)
    note = _("Not UTF-8 at byte {offset} (0x{byte:02X}); read as {encoding}").format(
        offset=first_bad, byte=data[first_bad - offset], encoding=name
    )
    return text, note


def _legacy(data: bytes) -> tuple[str, str]:
    """(text, name of the encoding) of a text from before Unicode.

    Only the bad bytes are read as Windows-1252 where most of the text is good UTF-8, else all of it.
    """
    escaped = data.decode("utf-8", "surrogateescape")
    bad = len(_ESCAPED.findall(escaped))
    good = sum(1 for char in escaped if char > "\x7f") - bad
    if good >= bad:
        mended = _ESCAPED.sub(
            lambda char: bytes([ord(char[0]) - 0xDC00]).decode("cp1252", "replace"), escaped
        )
        return mended, "Windows-1252"
    for codec, name, is_common in _EAST_ASIAN:
        if _is_likely(data, codec, is_common):
            return data.decode(codec, "replace"), name
    return data.decode("cp1252", "replace"), "Windows-1252"


def _is_likely(data: bytes, codec: str, is_common: Callable[[bytes], bool]) -> bool:
    """Whether nearly all that is not ASCII comes out as everyday characters of that encoding.

    Letters with accents, read as one of them, come out as rare characters, or as none.
    """
    text = data[:_JUDGED].decode(codec, "replace")
    wide = [char for char in text if char > "\x7f"]
    common = sum(is_common(char.encode(codec)) for char in wide if char != "\ufffd")
    return len(wide) >= _FEWEST and common >= _COMMON * len(wide)


def _is_common_chinese(code: bytes) -> bool:
    """The 3,755 characters of the first level of GB 2312, and its punctuation."""
    first_level = 0xB0 <= code[0] <= 0xD7 or 0xA1 <= code[0] <= 0xA3
    return len(code) == 2 and first_level and code[1] >= 0xA1


def _is_common_japanese(code: bytes) -> bool:
    """Kana, the first level of JIS kanji, and punctuation. Half-width kana are as likely accents."""
    return len(code) == 2 and 0x8140 <= (code[0] << 8 | code[1]) <= 0x9872


_JUDGED = 64 * 1024  # bytes by which an encoding is told
_FEWEST = 2  # characters: one alone says nothing
_COMMON = 0.85  # the share that must be everyday ones
_EAST_ASIAN: tuple[tuple[str, str, Callable[[bytes], bool]], ...] = (
    ("gb18030", "GB18030", _is_common_chinese),
    ("cp932", "Shift-JIS", _is_common_japanese),
)


def looks_binary(data: bytes) -> bool:
    """Whether over 1 % of the bytes are control characters that no text in UTF-8 or Windows-1252 has.

    A single NUL in a log does not make it binary; compressed data has 10 %.
    """
    return len(data) - len(data.translate(None, _CONTROL)) > len(data) // 100 + 2


def _wide_encoding(data: bytes) -> str | None:
    """UTF-16 without a mark: in plain text nearly each second byte is 0, always on the same side."""
    sample = data[:HEAD]
    if len(data) % 2 or len(sample) < 8:
        return None
    for side, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        zeros = sample[side::2].count(0)
        others = sample[1 - side :: 2]
        if zeros > 0.7 * len(others) and not looks_binary(others):
            return encoding
    return None
