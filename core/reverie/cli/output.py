"""What the verbs print: tables for a terminal, plain lines for a pipe, JSON for a program."""

import contextlib
import dataclasses
import io
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import Enum
from pathlib import PurePath
from typing import Any

from reverie.cli.failures import BROKEN_PIPE
from reverie.domain.progress import Progress, silent
from reverie.domain.records import instant_text
from reverie.domain.text import shorten
from reverie.errors import UserError
from reverie.i18n import _

# A stored text may hold escape sequences; a terminal must not carry them out.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def prepare_streams() -> None:
    """Output is UTF-8 under any LANG; what can't be encoded (half an emoji) is written as an escape."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - until the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def write(text: str) -> None:
    """One text and a line end to stdout. Where nobody reads any more (``| head``), the program ends quietly."""
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        raise SystemExit(BROKEN_PIPE) from None
    except OSError as error:
        _drop_output()
        raise UserError(
            _("The output can't be written"),
            detail=error.strerror or str(error),
            hint=_("What was asked for is done; only its answer could not be shown"),
            retryable=True,
        ) from error


def _drop_output() -> None:
    """What is still buffered must not fail again when the interpreter closes the stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(text: str) -> None:
    """One text for a person."""
    write(harmless(text))


def warn(text: str) -> None:
    """One text for a person, beside the results."""
    sys.stderr.write(harmless(text) + "\n")


def write_json(value: Any) -> None:
    write(json.dumps(plain(value), ensure_ascii=False, indent=2))


def write_table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table on a terminal; elsewhere one line a row, cells parted by tabs, without headers."""
    cells = [[harmless(str(cell)) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        for row in cells:
            write("\t".join(" ".join(cell.split()) for cell in row))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*headers, box=SIMPLE_HEAD, pad_edge=False)
    for row in cells:
        table.add_row(*map(Text, row))
    Console().print(table)


def harmless(text: str) -> str:
    """The text without what would steer a terminal."""
    return _CONTROL.sub("\ufffd", text)


def plain(value: Any) -> Any:
    """The value as JSON knows it: instants in UTC (ISO 8601), records as objects, sets sorted."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return instant_text(value)
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(plain(each) for each in value)
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return str(value) if isinstance(value, PurePath) else value


def local(instant: datetime | None) -> str:
    """An instant in the person's time, to the minute."""
    return "" if instant is None else f"{instant.astimezone():%Y-%m-%d %H:%M}"


def one_line(text: str, limit: int = 100) -> str:
    """The text in one line, cut at a word border after at most ``limit`` characters."""
    return shorten(text, limit)


@contextlib.contextmanager
def progress_bar() -> Iterator[Progress]:
    """A callback for long work; it draws a bar on stderr where that is a terminal."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def update(done: int, total: int, what: str) -> None:
            bar.update(task, completed=done, total=total or None, description=one_line(harmless(what), 40))

        yield update
