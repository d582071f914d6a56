"""Instants: UTC microseconds since 1970 in the store, timezone-aware datetimes in the API."""

import time
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# Every zone can show these: within a day of the calendar's ends, local time may fall out of it.
_FIRST = (datetime(MINYEAR + 1, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND
_LAST = (datetime(MAXYEAR, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND - 1


def now() -> datetime:
    return from_micros(time.time_ns() // 1000)


def to_micros(instant: datetime) -> int:
    """Whole microseconds since 1970. A datetime without a zone is taken as local time."""
    return (instant.astimezone(UTC) - _EPOCH) // _MICROSECOND


def from_micros(micros: object) -> datetime:
    """The instant of whole microseconds, within the years 2 to 9998; 1970 for what is no number (a file may hold anything)."""
    if not isinstance(micros, (int, float)):
        return _EPOCH
    return _EPOCH + min(max(micros, _FIRST), _LAST) * _MICROSECOND


def span_micros(span: timedelta) -> int:
    """A span in whole microseconds."""
    return span // _MICROSECOND


def is_expired(expires_at: datetime | None, at: datetime) -> bool:
    """``expires_at <= at`` is expired (RockBot's sweep uses the same side)."""
    return expires_at is not None and expires_at <= at
