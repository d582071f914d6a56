"""Where else the change log holds a text that is to be forgotten: under ids that are there no more, in past versions.

An undone act leaves its images, so that it can be done again: of the same text taken in before, of what a dream
had merged it into, of insights that quoted it. These *echoes* of a row are found by the hash of every text that
it ever held, and by the links of what was made of what, wherever its id stands in the images; and on from there
through rows that are gone themselves. What is there by a person's will is never an echo: of a row that stands,
only a past version with the very text is.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table, func, select

from reverie.domain.inbox import ItemState
from reverie.domain.memory import LinkKind
from reverie.store.tables import changes, inbox_items, insights, memories, operations

_OF_INGEST = "ingest:"
_LINEAGE = (LinkKind.MADE_FROM, LinkKind.REPLACED_BY)


class Row(NamedTuple):
    """One row of a table, whether it is there or not."""

    table: str
    id: str


@dataclass(slots=True)
class Echo:
    """What of the log holds the texts of one row under another name.

    images: numbers of changes to remove. versions: those that stay in their row's history, without their columns.
    ties: those that name the row or an echo of it, which no undo could put back. texts: hashes of all that it
    held. ids: rows that are gone. files: stored copies.
    """

    texts: set[str] = field(default_factory=set)
    ids: set[Row] = field(default_factory=set)
    images: set[int] = field(default_factory=set)
    versions: set[int] = field(default_factory=set)
    ties: set[int] = field(default_factory=set)
    files: set[str] = field(default_factory=set)


def newest_image(connection: Connection) -> int:
    return int(connection.execute(select(func.coalesce(func.max(changes.c.seq), 0))).scalar_one())


def find(connection: Connection, wanted: Mapping[Row, Iterable[str]]) -> dict[Row, Echo]:
    """The echoes of rows, of which these hashes are known beside those in the log. The whole log is looked
    through: no work for a transaction."""
    return _Log(connection).echoes(wanted) if wanted else {}


class _Log:
    def __init__(self, connection: Connection) -> None:
        self._standing = {**_standing(connection, memories), **_standing(connection, insights)}
        self._texts: dict[Row, set[str]] = defaultdict(set)
        self._images: dict[Row, list[int]] = defaultdict(list)
        self._files: dict[Row, set[str]] = defaultdict(set)
        self._gone_with: dict[str, set[Row]] = defaultdict(set)  # rows that are gone, by a text they held
        self._versions: dict[str, list[tuple[int, Row]]] = defaultdict(list)  # of rows that stand, by a text
        self._tied: dict[Row, set[Row]] = defaultdict(set)
        self._ties: dict[Row, list[int]] = defaultdict(list)
        self._read_images(connection)
        self._read_ties(connection)
        self._items = _told_by(connection)
        self._paths = _paths(connection)

    def echoes(self, wanted: Mapping[Row, Iterable[str]]) -> dict[Row, Echo]:
        return {row: self._echo(row, texts, wanted) for row, texts in wanted.items()}

    def _echo(self, start: Row, texts: Iterable[str], wanted: Mapping[Row, Iterable[str]]) -> Echo:
        echo = Echo(texts=set(texts))
        if start in self._standing:
            echo.texts.add(self._standing[start])
        seen, fresh = {start}, [start]
        while fresh:
            row = fresh.pop()
            echo.texts |= self._texts.get(row, set())
            echo.ties.update(self._ties.get(row, ()))
            echo.files |= self._files.get(row, set())
            for item in self._items.get(row, ()):
                echo.files |= self._paths.get(item, set())
            if row != start:
                echo.ids.add(row)
                echo.images.update(self._images[row])
            held = echo.texts if row == start else self._texts.get(row, set())
            near = self._tied.get(row, set()).union(*(self._gone_with.get(text, ()) for text in held))
            found = [each for each in near if each not in seen and self._is_gone(each)]
            seen.update(found)
            fresh += found
        for text in echo.texts:
            echo.versions.update(seq for seq, row in self._versions.get(text, ()) if row not in wanted)
        return echo

    def _is_gone(self, row: Row) -> bool:
        return row not in self._standing

    def _read_images(self, connection: Connection) -> None:
        for seq, table, key, before, after, file, old_file in connection.execute(_TEXT_IMAGES):
            row = Row(table, key)
            texts = {text for text in (before, after) if text}
            if self._is_gone(row):
                self._images[row].append(seq)
                for text in texts:
                    self._gone_with[text].add(row)
            else:
                for text in texts - {self._standing[row]}:
                    self._versions[text].append((seq, row))
            self._texts[row] |= texts
            self._files[row].update(name for name in (file, old_file) if name)

    def _read_ties(self, connection: Connection) -> None:
        for seq, table, image in connection.execute(_TIE_IMAGES):
            for source, target, is_lineage in _ends(table, json.loads(image)):
                self._ties[source].append(seq)
                self._ties[target].append(seq)
                if is_lineage:
                    self._tied[source].add(target)
                    if source.table == target.table:
                        self._tied[target].add(source)


def _ends(table: str, image: Mapping[str, Any]) -> Iterator[tuple[Row, Row, bool]]:
    """(from, to, whether the text of one is in the other). An insight quotes what it stands on."""
    if table == "memory_links" and "source_id" in image:
        source, target = Row("memories", image["source_id"]), Row("memories", image["target_id"])
        yield source, target, image["kind"] in _LINEAGE
    elif table == "insight_sources" and "insight_id" in image:
        yield Row("memories", image["memory_id"]), Row("insights", image["insight_id"]), True


_TEXT_IMAGES = select(
    changes.c.seq,
    changes.c.table_name,
    changes.c.row_key,
    func.json_extract(changes.c.before, "$.content_hash"),
    func.json_extract(changes.c.after, "$.content_hash"),
    func.json_extract(changes.c.before, "$.file"),
    func.json_extract(changes.c.after, "$.file"),
).where(changes.c.table_name.in_(["memories", "insights"]))

_TIE_IMAGES = select(
    changes.c.seq, changes.c.table_name, func.coalesce(changes.c.after, changes.c.before)
).where(changes.c.table_name.in_(["memory_links", "insight_sources"]))


def _standing(connection: Connection, table: Table) -> dict[Row, str]:
    """The hash of the text that each row holds now."""
    found = connection.execute(select(table.c.id, table.c.content_hash))
    return {Row(table.name, row_id): text for row_id, text in found}


def _told_by(connection: Connection) -> dict[Row, set[str]]:
    """The inbox items that made a memory, or told it again: their files hold its text."""
    statement = (
        select(changes.c.row_key, operations.c.author)
        .join(operations, operations.c.id == changes.c.operation_id)
        .where(changes.c.table_name == "memories", operations.c.author.startswith(_OF_INGEST))
        .distinct()
    )
    told: dict[Row, set[str]] = defaultdict(set)
    for key, author in connection.execute(statement):
        told[Row("memories", key)].add(author.removeprefix(_OF_INGEST))
    made = select(memories.c.id, memories.c.item_id).where(memories.c.item_id.is_not(None))
    for key, item in connection.execute(made):
        told[Row("memories", key)].add(item)
    return told


def _paths(connection: Connection) -> dict[str, set[str]]:
    """Where the files of finished items lie, and of those that were known already, by item."""
    i = inbox_items.c
    finished = select(i.id, i.duplicate_of, i.path).where(i.state.in_([ItemState.DONE, ItemState.KNOWN]))
    paths: dict[str, set[str]] = defaultdict(set)
    for item, twin, path in connection.execute(finished):
        paths[item].add(path)
        if twin is not None:
            paths[twin].add(path)
    return paths
