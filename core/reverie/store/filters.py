"""A MemoryFilter as SQL conditions: the same for lists, counts, the text index and the vectors."""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Integer, Select, and_, bindparam, exists, func, or_, select

from reverie.domain.arguments import check_fields
from reverie.domain.clock import now, to_micros
from reverie.domain.memory import MemoryFilter, Sort
from reverie.domain.text import fold
from reverie.store.tables import knowledge_bases, memories, memory_tags, messages, staged_ranges

Condition = ColumnElement[bool]
AnySelect = Select[*tuple[Any, ...]]

ORDERS = {
    Sort.NEWEST: (memories.c.created_at.desc(), memories.c.seq.desc()),
    Sort.OLDEST: (memories.c.created_at.asc(), memories.c.seq.asc()),
    Sort.UPDATED: (memories.c.updated_at.desc(), memories.c.seq.desc()),
    Sort.IMPORTANCE: (memories.c.importance.desc(), memories.c.created_at.desc(), memories.c.seq.desc()),
    Sort.CATEGORY: (memories.c.category.asc(), memories.c.created_at.desc(), memories.c.seq.desc()),
}


def conditions(wanted: MemoryFilter) -> list[Condition]:
    """All must hold. Raises UserError for a field of the wrong type."""
    check_fields(wanted)
    m = memories.c
    found: list[Condition] = [m.state.in_([str(state) for state in wanted.states]), is_visible()]
    if wanted.kb is not None:
        found.append(m.kb_id == kb_id(wanted.kb))
    if wanted.category is not None:
        found.append(at_or_below(memories.c.category, wanted.category))
    if wanted.kinds:
        found.append(m.kind.in_([str(kind) for kind in wanted.kinds]))
    found += [_has_tag(tag) for tag in wanted.tags]
    found += [~_has_tag(tag) for tag in wanted.without_tags]
    found += [~at_or_below(memories.c.category, category) for category in wanted.without_categories]
    if wanted.without_kinds:
        found.append(m.kind.not_in([str(kind) for kind in wanted.without_kinds]))
    if wanted.since is not None:
        found.append(m.created_at >= to_micros(wanted.since))
    if wanted.until is not None:
        found.append(m.created_at < to_micros(wanted.until))
    for column, value in (
        (m.source, wanted.source),
        (m.author, wanted.author),
        (m.item_id, wanted.item),
        (m.pinned, wanted.pinned),
        (m.muted, wanted.muted),
        (m.is_consolidated, wanted.consolidated),
    ):
        if value is not None:
            found.append(column == value)
    if wanted.min_importance is not None:
        found.append(m.importance >= wanted.min_importance)
    if wanted.expired is not None:
        found.append(_expired() if wanted.expired else or_(m.expires_at.is_(None), ~_expired()))
    return found


def is_visible(rows: FromClause = memories) -> Condition:
    """Whether a memory is not staged. Costs nothing while no large act is under way: the first part, which
    does not depend on the row, is asked once."""
    ranges = staged_ranges.c
    inside = exists().where(rows.c.seq.between(ranges.first, ranges.last)).correlate(rows)
    return or_(~exists(select(ranges.id)), ~inside)


def is_visible_message() -> Condition:
    """Whether a message is not staged; as for memories, but ranges of messages stand below zero."""
    ranges = staged_ranges.c
    inside = exists().where((-messages.c.seq).between(ranges.first, ranges.last)).correlate(messages)
    return or_(~exists(select(ranges.id)), ~inside)


def narrowed(statement: AnySelect, wanted: MemoryFilter) -> AnySelect:
    return statement.where(and_(*conditions(wanted)))


def kb_id(name: str) -> ColumnElement[int]:
    return select(knowledge_bases.c.id).where(knowledge_bases.c.name == name).scalar_subquery()


def among(column: ColumnElement[Any], values: Iterable[str | int]) -> Condition:
    """Whether the column is one of these, however many: they go in as one parameter, of which SQLite takes a limited number."""
    listed = func.json_each(json.dumps(list(values))).table_valued("value")
    return column.in_(select(listed.c.value))


def at_or_below(column: ColumnElement[str], path: str) -> Condition:
    """A path itself, or what stands below it ("/" sorts right before "0")."""
    return or_(column == path, and_(column > f"{path}/", column < f"{path}0"))


def _has_tag(tag: str) -> Condition:
    return memories.c.seq.in_(select(memory_tags.c.seq).where(memory_tags.c.folded == fold(tag)))


def _expired() -> Condition:
    at = bindparam(
        None, callable_=lambda: to_micros(now()), type_=Integer
    )  # asked each time: statements are kept
    return and_(memories.c.expires_at.is_not(None), memories.c.expires_at <= at)


def count_of(column: ColumnElement[Any]) -> AnySelect:
    return select(column, func.count()).select_from(memories).group_by(column)
