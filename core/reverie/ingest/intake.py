"""How a file comes to lie in the inbox, and leaves it for ``processed/``."""

import contextlib
import errno
import hashlib
import os
import shutil
from pathlib import Path

from reverie.domain.text import clean
from reverie.errors import UserError
from reverie.i18n import _
from reverie.ingest.extractors.files import impossible_name, require_regular, unreadable

PROCESSED = "processed"
_BLOCK = 1 << 20
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # the disk, a quota, a limit on the size of files


def check(path: Path) -> int:
    """The size in bytes of a readable regular file. Raises Unreadable: what it is instead, and what to do."""
    try:
        status = path.stat()
        require_regular(path, status)
        with path.open("rb"):
            return status.st_size
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:  # a NUL in the name
        raise impossible_name(path) from error


def copy_into(source: Path, folder: Path, name: str) -> Path:
    """Copy a file under a free name into a folder; a half copy never shows. Raises UserError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        target = free_name(folder, name)
        partial = folder / f".{target.name}.part"
        try:
            shutil.copyfile(source, partial)
            partial.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        if error.filename == str(source) and error.errno not in _FULL:
            raise unreadable(source, error) from error
        raise unwritable(folder, error) from error
    return target


def free_name(folder: Path, name: str) -> Path:
    """``name`` in the folder, numbered where it is taken: "minutes (2).md"."""
    stem, suffix = _short(Path(name))
    target = folder / f"{stem}{suffix}"
    number = 2
    while target.exists():
        target = folder / f"{stem} ({number}){suffix}"
        number += 1
    return target


def hash_of(path: Path) -> str:
    """SHA-256 of the file's bytes, hex, read in blocks. Raises UserError."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                digest.update(block)
    except OSError as error:
        raise unreadable(path, error) from error
    return digest.hexdigest()


def move_away(path: Path, target: Path) -> None:
    """Into ``processed/``. Where that fails, the next look at the inbox tries again: nothing is lost."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        path.replace(target)
    except OSError:
        return


def stored_path(path: Path, folder: Path) -> str:
    """Relative to the vault's folder where it lies inside, so that a vault can be moved; else absolute."""
    try:
        return path.absolute().relative_to(folder.absolute()).as_posix()
    except ValueError:
        return str(path.absolute())


def _short(name: Path) -> tuple[str, str]:
    """Stem and suffix, the stem cut so that numbered names stay under the 255 bytes that systems allow."""
    stem, suffix = name.stem, name.suffix[:20]
    while len(os.fsencode(stem + suffix)) > 200:
        stem = stem[:-1]
    return stem, suffix


def unwritable(folder: Path, error: OSError) -> UserError:
    """What the system says of a folder that it does not let us put a file into, in words."""
    if error.errno in _FULL:
        return UserError(_("The disk is full"), hint=_("Free some space, then retry"), retryable=True)
    return UserError(
        _("No file can be put into the inbox folder"),
        detail=f"{clean(str(folder))}: {clean(error.strerror or str(error))}",
        hint=_("Allow writing to that folder, then retry"),
        retryable=True,
    )
