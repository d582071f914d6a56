"""Icons as files, for style sheets: they take a path and know no data URLs."""

import tempfile
from functools import lru_cache
from pathlib import Path

from reverie.resources import resource


@lru_cache(maxsize=1)
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="reverie-icons-")


@lru_cache(maxsize=64)
def sheet_image(name: str, colour: str) -> str:
    """The path of an icon drawn in ``colour``, with forward slashes as style sheets want it."""
    target = Path(_folder().name) / f"{name}-{colour.lstrip('#')}.svg"
    source = resource("icons", f"{name}.svg").read_text(encoding="utf-8")
    target.write_text(source.replace("currentColor", colour), encoding="utf-8")
    return target.as_posix()
