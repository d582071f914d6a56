"""Knowledge bases: the named parts of a vault."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, insert, select, update

from reverie.domain.arguments import checked
from reverie.domain.changes import PERSON
from reverie.domain.knowledge_base import KnowledgeBase
from reverie.domain.text import clean
from reverie.errors import NotFound, UserError
from reverie.i18n import _
from reverie.store.readers import Readers
from reverie.store.tables import knowledge_bases
from reverie.store.writer import Tx, Writer

DEFAULT = "default"


@checked
class KnowledgeBases:
    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    def list(self) -> "list[KnowledgeBase]":
        with self._readers.read() as connection:
            return [from_row(row) for row in connection.execute(select(knowledge_bases).order_by("name"))]

    def get(self, name: str) -> KnowledgeBase:
        for base in self.list():
            if base.name == name:
                return base
        raise NotFound(_("There is no knowledge base “{name}”").format(name=name))

    def add(self, name: str, *, author: str = PERSON) -> KnowledgeBase:
        """Makes it if missing."""
        self._writer.run("add knowledge base", lambda tx: require(tx, name), author=author)
        return self.get(name)

    def update(self, name: str, *, author: str = PERSON, **fields: Any) -> KnowledgeBase:
        """Change fields of a KnowledgeBase; ``name`` renames it."""
        self.get(name)
        if "name" in fields:
            fields["name"] = clean_name(fields["name"])

        def act(tx: Tx) -> None:
            statement = update(knowledge_bases).where(knowledge_bases.c.name == name)
            tx.connection.execute(statement.values(updated_at=tx.at, **fields))

        self._writer.run("edit knowledge base", act, author=author)
        return self.get(fields.get("name", name))


def clean_name(name: str) -> str:
    """A name that can be a folder on every system. Raises UserError."""
    if not isinstance(name, str):
        raise UserError(
            _("The name of a knowledge base is a text"), detail=clean(f"{type(name).__name__} {name!r:.60}")
        )
    text = " ".join(clean(name).split())
    if (
        not text
        or "\0" in name
        or len(text) > 64
        or text.strip(".") == ""
        or any(c in '/\\:*?"<>|' or ord(c) < 32 for c in text)
    ):
        raise UserError(
            _("“{name}” can't name a knowledge base").format(name=name),
            hint=_("Use up to 64 letters, digits, blanks, - and _"),
        )
    return text


def require(tx: Tx, name: str) -> int:
    """The id of the base, which is made if missing."""
    text = clean_name(name)
    found = tx.connection.execute(select(knowledge_bases.c.id).where(knowledge_bases.c.name == text)).scalar()
    if found is not None:
        return int(found)
    made = tx.connection.execute(
        insert(knowledge_bases).values(name=text, created_at=tx.at, updated_at=tx.at)
    )
    (key,) = made.inserted_primary_key or (0,)
    return int(key)


def names(connection: Connection) -> Mapping[int, str]:
    return {
        row.id: row.name for row in connection.execute(select(knowledge_bases.c.id, knowledge_bases.c.name))
    }


def from_row(row: Any) -> KnowledgeBase:
    return KnowledgeBase(
        name=row.name,
        is_active=bool(row.is_active),
        always_on=bool(row.always_on),
        consolidate_interval_mins=row.consolidate_interval_mins,
        inbox=row.inbox,
        reasoner=row.reasoner,
        model=row.model,
    )
