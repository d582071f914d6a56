"""Writes a vault into a file: complete or not at all."""

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol, TextIO

from reverie.domain.ids import new_id
from reverie.domain.progress import Cancel, Progress, never, silent
from reverie.domain.transfer import ExportReport
from reverie.errors import UserError
from reverie.i18n import _
from reverie.transfer import FORMATS
from reverie.transfer.formats import Section


class Origin(Protocol):
    """The part of the store that an export reads."""

    def contents(
        self, kb: str | None = None
    ) -> AbstractContextManager[Mapping[str, tuple[int, Iterator[Any]]]]:
        """(how many, the values) by section, as of one instant, while the context is open."""


def export(
    origin: Origin,
    path: Path,
    format: str = "json",
    *,
    kb: str | None = None,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> ExportReport:
    """Writes everything (of one knowledge base, where ``kb`` is given) to ``path``, replacing what is there.

    It is streamed to a file beside it that takes its name at the end: a cancel, a crash or a full disk leaves what was
    there before. Raises UserError (unknown format, no permission, full disk, no such folder) and Cancelled.
    """
    if format not in FORMATS:
        raise UserError(
            _("“{format}” is no format that Reverie writes").format(format=format),
            hint=_("Use one of {formats}").format(formats=", ".join(FORMATS)),
        )
    if "\0" in str(path):
        raise UserError(_("No file can have this name"), hint=_("Give the name of a file"))
    target = path.expanduser().resolve()
    with _explained(target), _replacing(target) as stream, origin.contents(kb) as contents:
        sections = [Section(name, count, values) for name, (count, values) in contents.items()]
        counts = FORMATS[format].write(
            sections, stream, progress=progress or silent, cancelled=cancelled or never
        )
    return ExportReport(target, format, target.stat().st_size, counts)


@contextmanager
def _replacing(target: Path) -> Iterator[TextIO]:
    """A new file that takes the name of ``target`` when all is written, and is removed where it was not."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    if target.exists() and not target.is_file():
        raise OSError(errno.ENODEV, _("It is a device or a pipe"), str(target))  # would be replaced by a file
    part = target.with_name(f".{target.name[:200]}.{new_id()}.part")
    try:
        with part.open("x", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(target)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


@contextmanager
def _explained(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        title, hint = _reason(error.errno)
        raise UserError(
            title, detail=f"{target}: {error.strerror or error}", hint=hint, retryable=True
        ) from error


def _reason(code: int | None) -> tuple[str, str]:
    """What happened and what to do, by the number of the error."""
    elsewhere = _("Choose another folder")
    if code in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        return _("The disk is full"), _("Free some space or choose another folder; nothing was replaced")
    if code in (errno.EACCES, errno.EPERM, errno.EROFS):
        return _("There is no permission to write there"), elsewhere
    if code in (errno.ENOENT, errno.ENOTDIR):
        return _("There is no such folder"), elsewhere
    if code == errno.EISDIR:
        return _("This is a folder"), _("Give the name of a file")
    if code == errno.ENODEV:
        return _("This is no ordinary file"), _("Give the name of a file")
    if code == errno.ENAMETOOLONG:
        return _("The name is too long"), _("Choose a shorter one")
    return _("The export could not be written"), elsewhere
