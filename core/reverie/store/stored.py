"""What a stored value says, whatever an older program or a foreign one has written there: reading never fails.

The vault is a plain SQLite file, so that anything may stand in a column. What makes no sense is read as the
default, and stays in the file as it is.
"""

import json
from enum import Enum
from typing import Any, TypeVar

from reverie.domain.clock import from_micros

E = TypeVar("E", bound=Enum)


def text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return value if isinstance(value, str) else "" if value is None else str(value)


def texts(value: Any) -> tuple[str, ...]:
    """A JSON array of texts."""
    found = _json(value)
    return tuple(map(text, found)) if isinstance(found, list) else ()


def mapping(value: Any) -> dict[str, Any]:
    """A JSON object."""
    found = _json(value)
    return found if isinstance(found, dict) else {}


def mappings(value: Any) -> tuple[dict[str, Any], ...]:
    """A JSON array of objects."""
    found = _json(value)
    return tuple(each for each in found if isinstance(each, dict)) if isinstance(found, list) else ()


def member(words: type[E], value: Any, default: E) -> E:
    try:
        return words(value)
    except ValueError:
        return default


def whole(value: Any, default: int = 0) -> int:
    return int(value) if isinstance(value, (int, float)) and abs(value) < 1 << 63 else default


def share(value: Any, default: float = 0.5) -> float:
    """A number from 0 to 1."""
    return min(1.0, max(0.0, float(value))) if isinstance(value, (int, float)) else default


def instant(value: Any) -> Any:
    """A datetime; None for NULL."""
    return None if value is None else from_micros(value)


def _json(value: Any) -> Any:
    try:
        return json.loads(value)
    except (TypeError, ValueError, RecursionError):
        return None
