"""How a file comes to lie in the inbox, and leaves it for ``processed/``."""

import errno
import hashlib
import os
import shutil
from pathlib import Path

from reverie.errors import UserError
from reverie.i18n import _

PROCESSED = "processed"
_BLOCK = 1 << 20


def check(path: Path) -> int:
    """The size in bytes of a readable regular file. Raises UserError: what it is instead, and what to do."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise unusable(error) from error
    except ValueError as error:  # a NUL in the name
        raise UserError(_("No file can have this name")) from error
    if path.is_dir():
        raise UserError(
            _("This is a folder"), hint=_("Drop the files in it, or let Reverie watch the folder")
        )
    if not path.is_file():
        raise UserError(_("This is no regular file"), hint=_("Save its content to a file first"))
    try:
        with path.open("rb"):
            return size
    except OSError as error:
        raise unusable(error) from error


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
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise unusable(error) from error
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
        raise unusable(error) from error
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


def unusable(error: OSError) -> UserError:
    """What the system says of a file, in words."""
    match error.errno:
        case errno.ENOENT:
            return UserError(_("There is no such file"), hint=_("Check the name, or drop the file again"))
        case errno.EACCES | errno.EPERM:
            return UserError(
                _("No permission to read this file"),
                hint=_("Change its permissions, then retry"),
                retryable=True,
            )
        case errno.ELOOP:
            return UserError(_("This link leads in a circle"), hint=_("Drop the file that it should lead to"))
        case errno.ENOSPC:
            return UserError(_("The disk is full"), hint=_("Free some space, then retry"), retryable=True)
        case errno.ENAMETOOLONG:
            return UserError(_("The name of this file is too long"), hint=_("Rename it, then drop it again"))
        case _:
            return UserError(
                _("This file can't be read"), detail=error.strerror or str(error), retryable=True
            )
