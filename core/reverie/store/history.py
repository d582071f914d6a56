"""Every changeset of a vault: listed, shown row by row, undone, redone.

A changeset is one operation, or the operations of one group. Undoing replays its images in reverse as a
new operation of kind "undo"; redo is the undo of that. Only the columns that the changeset changed are
compared and restored; where one of them has changed since, nothing is written and Conflict lists the rows.
"""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    exists,
    func,
    or_,
    select,
)

from reverie.domain.arguments import checked
from reverie.domain.changes import PERSON, Change, ChangeSet
from reverie.domain.ids import OperationId
from reverie.errors import Conflict, NotFound
from reverie.i18n import _
from reverie.store import changelog, rewrite
from reverie.store.changelog import is_incomplete
from reverie.store.readers import Readers
from reverie.store.reversal import Reversal, images_of, members
from reverie.store.staging import is_pending
from reverie.store.tables import changes, operations, staged_ranges
from reverie.store.writer import Tx, Writer

UNDO, REDO = "undo", "redo"

_IS_ACT = operations.c.group_id.is_(None) & ~is_pending(operations.c.id)
_HAS_CHANGES = exists().where(changes.c.operation_id == operations.c.id)


@checked
class History:
    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    def list(
        self, limit: int = 100, before: int | None = None, author: str | None = None
    ) -> Sequence[ChangeSet]:
        """Newest first; ``before`` continues below a changeset's id; an author that ends in ":" is a prefix
        ("dream:" for all dreams)."""
        statement = select(operations).where(_IS_ACT).order_by(operations.c.id.desc())
        if before is not None:
            statement = statement.where(operations.c.id < before)
        if author is not None:
            statement = statement.where(_is_by(author))
        with self._readers.read() as connection:
            return changelog.change_sets(connection, connection.execute(statement.limit(limit)).all())

    def get(self, changeset: int) -> ChangeSet:
        """By its id, or by that of any operation in it. Raises NotFound."""
        with self._readers.read() as connection:
            row = _require(connection, changeset)
            return _change_set(
                connection, row if row.group_id is None else _require(connection, row.group_id)
            )

    def changes(self, changeset: int) -> Sequence[Change]:
        """Row by row in the order they happened; several changes of one row stay apart."""
        with self._readers.read() as connection:
            statement = images_of(members(connection, changeset)).order_by(changes.c.seq)
            return [changelog.change(row) for row in connection.execute(statement)]

    def undoable(self, author: str = PERSON) -> ChangeSet | None:
        """What ``undo()`` would take back: the author's last standing changeset."""
        return self._first(_standing(author))

    def redoable(self, author: str = PERSON) -> ChangeSet | None:
        """The undo that ``redo()`` would take back; None after a new act by the same author."""
        with self._readers.read() as connection:
            row = connection.execute(_redo_candidate(author)).first()
            return None if row is None else _change_set(connection, row)

    def undo(self, changeset: int | None = None, author: str = PERSON, *, by: str = PERSON) -> ChangeSet:
        """Take back ``changeset``, or the author's last standing one.

        Raises NotFound, Conflict (also where nothing is kept of what it changed).
        """

        def find(connection: Connection) -> Sequence[Any]:
            target = changeset
            if target is None:
                row = connection.execute(_standing(author)).first()
                if row is None:
                    raise NotFound(_("There is nothing to undo"))
                target = row.id
            return [_open_target(connection, target)]

        return self._take_back(UNDO, find, by)

    def redo(self, author: str = PERSON) -> ChangeSet:
        """Do again what the author undid last. Raises NotFound, Conflict."""

        def find(connection: Connection) -> Sequence[Any]:
            row = connection.execute(_redo_candidate(author)).first()
            if row is None:
                raise NotFound(_("There is nothing to redo"))
            return [row]

        return self._take_back(REDO, find, author)

    def undo_to(self, changeset: int, *, by: str = PERSON) -> ChangeSet | None:
        """Take back everything after ``changeset`` (0: all), whoever did it, as one act; None where nothing stands.

        Raises Conflict, also where the history does not reach back so far any more.
        """

        def find(connection: Connection) -> Sequence[Any]:
            if changeset:
                _require(connection, changeset)
            _require_kept(connection, changeset)
            return connection.execute(_later(changeset)).all()

        return self._take_back(UNDO, find, by) if self.preview_to(changeset) else None

    def preview_to(self, changeset: int) -> int:
        """How many changesets ``undo_to`` would take back. Raises Conflict as that does."""
        with self._readers.read() as connection:
            _require_kept(connection, changeset)
            return len(connection.execute(_later(changeset)).all())

    def _take_back(self, kind: str, find: Callable[[Connection], Sequence[Any]], author: str) -> ChangeSet:
        """Undo what ``find`` names. The images are read and made into statements before the write lock is taken,
        and again where the log has moved on meanwhile."""
        while True:
            with self._readers.read() as connection:
                reversal = Reversal(connection, find(connection))
                is_large = len(reversal) > rewrite.DIRECT_ROWS
                images = reversal.images(connection) if is_large else None
            if images:
                made = self._rewrite(kind, find, author, reversal, images)
                if made is not None:
                    return self.get(made)

            def act(tx: Tx, reversal: Reversal = reversal) -> OperationId | None:
                if not reversal.fits(tx.connection, find(tx.connection)):
                    return None
                reversal.apply(tx)
                tx.keep = True
                return tx.operation

            done = self._writer.run(kind, act, author=author)
            if done is not None:
                return self.get(done)

    def _rewrite(
        self,
        kind: str,
        find: Callable[[Connection], Sequence[Any]],
        author: str,
        reversal: Reversal,
        images: Sequence[rewrite.Image],
    ) -> OperationId | None:
        def note(tx: Tx, act: OperationId) -> None:
            if not reversal.fits(tx.connection, find(tx.connection)):
                raise rewrite.Moved
            reversal.note(tx.connection, act)

        return rewrite.carry_out(self._writer, kind, author, images, detail=reversal.detail, also=note)

    def _first(self, statement: Select[Any]) -> ChangeSet | None:
        with self._readers.read() as connection:
            row = connection.execute(statement).first()
            return None if row is None else _change_set(connection, row)


def _standing(author: str) -> Select[Any]:
    """The author's acts that stand, newest first; a group by its first operation."""
    member = operations.alias("member")
    changed = exists().where(
        func.coalesce(member.c.group_id, member.c.id) == operations.c.id,
        changes.c.operation_id == member.c.id,
    )
    return (
        select(operations)
        .where(operations.c.author == author, operations.c.kind.not_in((UNDO, REDO)), ~is_incomplete())
        .where(_IS_ACT, operations.c.undone_by.is_(None), or_(_HAS_CHANGES, changed))
        .order_by(operations.c.id.desc())
        .limit(1)
    )


def _redo_candidate(author: str) -> Select[Any]:
    last_act = (
        select(func.coalesce(func.max(operations.c.id), 0))
        .where(operations.c.author == author, operations.c.kind.not_in((UNDO, REDO)))
        .scalar_subquery()
    )
    outer = operations.alias("undo")
    return (
        select(outer)
        .where(
            outer.c.author == author, outer.c.kind == UNDO, outer.c.undone_by.is_(None), outer.c.id > last_act
        )
        .where(exists().where(changes.c.operation_id == outer.c.id), ~is_incomplete(outer))
        .where(outer.c.group_id.is_(None), ~is_pending(outer.c.id))
        .order_by(outer.c.id.desc())
        .limit(1)
    )


def _later(changeset: int) -> Select[Any]:
    """Standing changesets after one, newest first."""
    return (
        select(operations)
        .where(operations.c.id > changeset, _IS_ACT, operations.c.undone_by.is_(None))
        .where(operations.c.kind.not_in((UNDO, REDO)), _HAS_CHANGES, ~is_incomplete())
        .order_by(operations.c.id.desc())
    )


def _require(connection: Connection, changeset: int) -> Any:
    row = connection.execute(select(operations).where(operations.c.id == changeset)).first()
    if row is None:
        raise NotFound(_("There is no change {number} in the history").format(number=changeset))
    return row


def _open_target(connection: Connection, changeset: int) -> Any:
    row = _require(connection, changeset)
    if row.undone_by is not None:
        raise Conflict(_("This change has been undone already"))
    pending = select(staged_ranges.c.id).where(staged_ranges.c.group_id == changeset).limit(1)
    if connection.execute(pending).first() is not None:
        raise Conflict(_("This change is still being made"), hint=_("Try again in a moment"))
    lost = select(operations.c.id).where(operations.c.id == changeset, is_incomplete())
    held = select(changes.c.seq).where(changes.c.operation_id.in_(members(connection, changeset))).limit(1)
    if connection.execute(lost).first() is not None or connection.execute(held).first() is None:
        raise Conflict(_("This can't be undone: nothing is kept of what it changed"))
    return row


def _require_kept(connection: Connection, changeset: int) -> None:
    """Raises Conflict where a change after this one can't be undone any more: going back would stop half way."""
    later = operations.c.id > changeset, operations.c.undone_by.is_(None)
    acts = operations.c.kind.not_in((UNDO, REDO))
    lost = select(changelog.is_pruned()).where(*later, acts, is_incomplete()).limit(1)
    found = connection.execute(lost).first()
    if found is not None:
        raise Conflict(
            _("The history does not reach back so far any more"),
            detail=_("Changes after this one are older than the setting “Keep the history for” allows")
            if found[0]
            else _("Changes after this one held a text that was forgotten for good"),
            hint=_("Choose a later one"),
        )


def _is_by(author: str) -> ColumnElement[bool]:
    column = operations.c.author
    if author.endswith(":"):  # ";" is the character after ":"
        return (column >= author) & (column < f"{author[:-1]};")
    return column == author


def _change_set(connection: Connection, row: Any) -> ChangeSet:
    return changelog.change_sets(connection, [row])[0]
