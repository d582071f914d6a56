"""Working memory: scratch entries under path keys, each with a time to live.

What has expired is gone at once for whoever reads, and is removed by the next write. The rows are in no trash, no
change log and no dump: expiry is their retention rule, and there is nothing to undo.
"""

import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, TypeVar

from sqlalchemy import Connection, delete, func, select
from sqlalchemy.dialects.sqlite import insert

from reverie.domain.arguments import checked
from reverie.domain.clock import from_micros, now, span_micros, to_micros
from reverie.domain.memory import clean_category, clean_tags
from reverie.domain.text import clean, fold
from reverie.domain.working import LONGEST_TTL_MINUTES, WorkingEntry, clean_key, clean_path, namespace_of
from reverie.errors import UserError
from reverie.i18n import _
from reverie.settings import Working
from reverie.store import filters, stored
from reverie.store.filters import Condition
from reverie.store.readers import Readers
from reverie.store.tables import working_memory
from reverie.store.writer import Writer

CHANGED = "working_memory"

T = TypeVar("T")

_SHARED = 2  # segments of a key within which entries are counted: "session/abc"

w = working_memory.c


@checked
class WorkingMemory:
    """``limits`` is asked at each write. A prefix means whole segments: "session/a" is no beginning of "session/ab"."""

    def __init__(self, writer: Writer, readers: Readers, limits: Callable[[], Working] = Working) -> None:
        self._writer = writer
        self._readers = readers
        self._limits = limits

    def save(
        self,
        key: str,
        value: str,
        *,
        ttl_minutes: float | None = None,
        category: str = "",
        tags: Sequence[str] = (),
    ) -> WorkingEntry:
        """Store a value, in place of an earlier one under the same key; None lives as long as the settings say.

        Raises UserError for a key, category or time to live that can't be, and for a new key where its namespace (its
        first two segments) is full.
        """
        limits = self._limits()
        values = {
            "key": clean_key(key),
            "namespace": namespace_of(clean_key(key)),
            "value": clean(value),
            "category": clean_category(category) if category.strip() else "",
            "tags": json.dumps(clean_tags([clean(tag) for tag in tags]), ensure_ascii=False),
        }
        span = _span(limits.default_ttl_minutes if ttl_minutes is None else ttl_minutes)

        def act(connection: Connection) -> WorkingEntry:
            at = to_micros(now())
            _sweep(connection, at)
            _make_sure_of_room(connection, values["key"], limits.max_entries_per_namespace)
            times = {"stored_at": at, "expires_at": at + span_micros(span)}
            statement = insert(working_memory).values(**values, **times)
            connection.execute(
                statement.on_conflict_do_update(index_elements=["key"], set_={**values, **times})
            )
            return _from_row(connection.execute(select(working_memory).where(w.key == values["key"])).one())

        return self._write(act)

    def get(self, key: str) -> WorkingEntry | None:
        """None where there is none, or no longer: entries go by themselves."""
        with self._readers.read() as connection:
            row = connection.execute(select(working_memory).where(w.key == clean_path(key), _lives())).first()
        return None if row is None else _from_row(row)

    def list(
        self, prefix: str = "", *, category: str | None = None, tags: Sequence[str] = ()
    ) -> Sequence[WorkingEntry]:
        """The entries at or under a path, newest first; "" is all. Of a category and what stands below it, with all
        of the tags (case folded)."""
        wanted = [_lives(), *_under(prefix)]
        if category is not None:
            wanted.append(filters.at_or_below(w.category, category))
        sought = {fold(tag) for tag in clean_tags(list(tags))}
        statement = select(working_memory).where(*wanted).order_by(w.stored_at.desc(), w.key)
        with self._readers.read() as connection:
            found = [_from_row(row) for row in connection.execute(statement)]
        return [entry for entry in found if sought <= {fold(tag) for tag in entry.tags}]

    def delete(self, key: str) -> bool:
        """Whether there was one."""
        return self._remove(w.key == clean_path(key)) > 0

    def delete_under(self, prefix: str) -> int:
        """Delete the entries at or under a path, all for ""; returns how many there were."""
        return self._remove(*_under(prefix))

    def sweep(self) -> int:
        """Remove what has expired; returns how many. Takes no write lock where nothing has."""
        with self._readers.read() as connection:
            if connection.execute(select(w.key).where(~_lives()).limit(1)).first() is None:
                return 0
        return self._writer.derive([CHANGED], lambda connection: _sweep(connection, to_micros(now())))

    def _remove(self, *wanted: Condition) -> int:
        def act(connection: Connection) -> int:
            _sweep(connection, to_micros(now()))
            return connection.execute(delete(working_memory).where(*wanted)).rowcount

        return self._write(act)

    def _write(self, act: Callable[[Connection], T]) -> T:
        return self._writer.derive([CHANGED], act, background=False)


def _span(minutes: float) -> timedelta:
    if not 0 < minutes <= LONGEST_TTL_MINUTES:  # what is no number is refused, too
        raise UserError(
            _("An entry can't live for {minutes} minutes").format(minutes=minutes),
            hint=_("Give more than 0 and at most {most} minutes").format(most=LONGEST_TTL_MINUTES),
        )
    return timedelta(minutes=minutes)


def _lives() -> Condition:
    return w.expires_at > to_micros(now())


def _under(prefix: str) -> list[Condition]:
    path = clean_path(prefix)
    return [filters.at_or_below(w.key, path)] if path else []


def _sweep(connection: Connection, at: int) -> int:
    return connection.execute(delete(working_memory).where(w.expires_at <= at)).rowcount


def _make_sure_of_room(connection: Connection, key: str, most: int) -> None:
    """Raises UserError where a new key is one too many."""
    if connection.execute(select(w.key).where(w.key == key)).first() is not None:
        return
    segments = key.split("/")
    shared = "/".join(segments[: min(_SHARED, len(segments) - 1)])
    is_whole = (
        shared.count("/") == _SHARED - 1
    )  # else a few entries beside the namespaces: "notes", "session/draft"
    same = filters.at_or_below(w.namespace, shared) if is_whole else w.namespace == shared
    count = connection.execute(select(func.count()).select_from(working_memory).where(same)).scalar_one()
    if count >= most:
        raise UserError(
            _("Working memory is full: “{namespace}” holds {count} entries").format(
                namespace=shared or "/", count=count
            ),
            detail=_("“{key}” is not stored").format(key=key),
            hint=_("Delete some, wait until some expire, or raise {setting}").format(
                setting="working.max_entries_per_namespace"
            ),
            retryable=True,
        )


def _from_row(row: Any) -> WorkingEntry:
    return WorkingEntry(
        key=stored.text(row.key),
        value=stored.text(row.value),
        stored_at=from_micros(row.stored_at),
        expires_at=from_micros(row.expires_at),
        category=stored.text(row.category),
        tags=stored.texts(row.tags),
    )
