"""``settings.toml`` in the vault's folder: read with care, written whole or not at all."""

import contextlib
import os
import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from reverie.errors import UserError
from reverie.i18n import _

NAME = "settings.toml"
_POSITION = re.compile(r"\(at line (\d+), column (\d+)\)")
_HEADER = re.compile(r"\s*\[\s*([\w-]+)\s*\]")


def path_in(folder: Path) -> Path:
    return folder / NAME


def read(folder: Path) -> tuple[str, dict[str, Any]]:
    """The text of the file and its tables; empty where there is no file.

    Raises UserError naming the line where the file is damaged. Nothing is written here.
    """
    path = path_in(folder)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return "", {}
    except OSError as error:
        raise UserError(
            _("The settings file can't be read"), detail=f"{path}: {error.strerror}", retryable=True
        ) from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _damaged(path, raw.count(b"\n", 0, error.start) + 1, _("it is not UTF-8 text")) from error
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _damaged(path, _line_of_error(error, text), _POSITION.sub("", str(error)).strip()) from error


def line_of(text: str, group: str, name: str) -> int:
    """The line (from 1) where a key stands in the text of a settings file, 0 where it is not found."""
    in_group = re.compile(rf'\s*"?{re.escape(name)}"?\s*=')
    dotted = re.compile(rf"\s*{re.escape(group)}\s*\.\s*{re.escape(name)}\s*=")
    current = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            current = header[1]
        if dotted.match(line) or (current == group and in_group.match(line)):
            return number
    return 0


def write(folder: Path, text: str) -> None:
    """Replaces the file in one step: a crash leaves the old one or the new one. Raises UserError."""
    path = path_in(folder)
    spare = ""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, spare = tempfile.mkstemp(prefix=NAME, suffix=".new", dir=folder)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(spare, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            if spare:
                os.unlink(spare)
        raise UserError(
            _("The settings could not be saved"),
            detail=f"{path}: {error.strerror}",
            hint=_("Nothing was changed. Check free space and permissions of that folder"),
            retryable=True,
        ) from error


def _line_of_error(error: tomllib.TOMLDecodeError, text: str) -> int:
    found = _POSITION.search(str(error))
    return int(found[1]) if found else text.count("\n") + 1  # "at end of document"


def _damaged(path: Path, line: int, what: str) -> UserError:
    return UserError(
        _("The settings file is damaged at line {line}").format(line=line),
        detail=f"{path}: {what}",
        hint=_("Correct that line, or move the file away to go back to the defaults"),
    )
