"""Files that are ZIP archives inside: looked into without trust, never unpacked to the disk."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reverie.i18n import _
from reverie.ingest.extractors.base import Limits, TooLarge, Unreadable
from reverie.ingest.extractors.files import opened, require_size, size_text

_MOST_MEMBERS = 20_000
_ENCRYPTED = 0x1  # flag of a member that needs a password


def member_names(path: Path) -> frozenset[str]:
    """The names of the files in a ZIP; none where it is damaged or holds more than any document does."""
    try:
        with opened(path) as (file, _size), zipfile.ZipFile(file) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError):
        return frozenset()
    return frozenset(names) if len(names) <= _MOST_MEMBERS else frozenset()


@contextmanager
def opened_archive(path: Path, limits: Limits) -> Iterator[zipfile.ZipFile]:
    """The open ZIP, of which all members together stay under ``limits.file_bytes`` when unpacked.

    zipfile gives no more of a member than its header claims, so that the claims bound what is read.
    Raises Unreadable (damaged, locked) and TooLarge, which no answer of a person lifts: a small file that
    unpacks to that much was made to do harm.
    """
    with opened(path) as (file, size):
        require_size(size, limits.file_bytes, limits)
        try:
            with zipfile.ZipFile(file) as archive:
                _check(archive, limits)
                yield archive
        except (zipfile.BadZipFile, NotImplementedError, EOFError, zlib.error) as error:
            raise damaged() from error


def damaged() -> Unreadable:
    return Unreadable(
        _("The file is damaged"),
        hint=_("Try to open it in the program that made it and save it again"),
    )


def _check(archive: zipfile.ZipFile, limits: Limits) -> None:
    members = archive.infolist()
    unpacked = sum(member.file_size for member in members)
    if unpacked > limits.file_bytes or len(members) > _MOST_MEMBERS:
        raise TooLarge(
            _("Unpacked, the file would have {size}").format(size=size_text(unpacked)),
            hint=_("Save it again without its pictures and sounds, and add that"),
        )
    if any(member.flag_bits & _ENCRYPTED for member in members):
        raise Unreadable(
            _("The file is locked with a password"),
            hint=_("Save a copy without the password and add that one"),
        )


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The bytes of a member. Raises Unreadable where it is not there or damaged."""
    try:
        return archive.read(name)
    except (KeyError, RuntimeError) as error:
        raise damaged() from error
