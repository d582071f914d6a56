"""A vault's database: opened, brought to the newest schema, taken care of and closed."""

from pathlib import Path

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DatabaseError

from reverie.errors import UserError
from reverie.i18n import _
from reverie.store import staging
from reverie.store.conversations import Conversations
from reverie.store.dreams import Dreams
from reverie.store.dumps import Dumps
from reverie.store.embeddings import Embeddings
from reverie.store.engine import READING, reading_engine, writing_engine
from reverie.store.erase import Eraser
from reverie.store.events import Events
from reverie.store.history import History
from reverie.store.inbox import InboxItems
from reverie.store.insights import Insights
from reverie.store.knowledge_bases import KnowledgeBases
from reverie.store.leases import Leases
from reverie.store.memories import Memories
from reverie.store.readers import Readers
from reverie.store.retention import Retention
from reverie.store.snapshots import Snapshots
from reverie.store.sought import INSIGHTS, MEMORIES, MESSAGES, Sought
from reverie.store.texts import Texts
from reverie.store.writer import Writer, explained

HEAD = "0002_touched"  # the newest migration; a test holds it to the folder


class Database:
    """Owns the writer, the readers and the events of one file; ``folder`` takes the backups of migrations."""

    def __init__(self, file: Path, folder: Path) -> None:
        self.file = file
        try:
            engine = writing_engine(file)
            _bring_up(engine, file, folder / "backups")
        except DatabaseError as error:
            told = explained(error)  # of a full disk, say: the file itself may be sound
            raise (told if isinstance(told, UserError) else _damaged(file, error)) from error
        readers_engine = reading_engine(file)
        self.events = Events(reading_engine(file))
        self.writer = Writer(engine, self.events.wake)
        self.readers = Readers(readers_engine)
        self.writer.start()
        self._settle()
        self.events.start()
        parts = (self.writer, self.readers)
        self.knowledge_bases = KnowledgeBases(*parts)
        self.memories = Memories(*parts)
        self.insights = Insights(*parts)
        self.conversations = Conversations(*parts)
        self.embeddings = Embeddings(*parts)
        self.snapshots = Snapshots(*parts)
        self.texts = Texts(self.readers)
        self.sought_memories = Sought(self.readers, MEMORIES)
        self.sought_messages = Sought(self.readers, MESSAGES)
        self.sought_insights = Sought(self.readers, INSIGHTS)
        self.history = History(*parts)
        self.inbox = InboxItems(*parts)
        self.dreams = Dreams(*parts)
        self.dumps = Dumps(*parts)
        self.leases = Leases(self.writer)
        self.eraser = Eraser(*parts, folder)
        self.retention = Retention(*parts, self.leases, self.eraser)
        self.dreams.settle()

    def close(self) -> None:
        """The writer last: as the last connection it folds the write-ahead log into the file."""
        self.events.close()
        self.readers.close()
        self.writer.close()

    def _settle(self) -> None:
        """Put right what a crash or an older program left behind; nothing is written where all is well."""
        with self.readers.read() as connection:
            staged = connection.exec_driver_sql("SELECT 1 FROM staged_ranges LIMIT 1").scalar()
        if staged:
            for group in self.writer.derive([], staging.abandoned):
                staging.discard(self.writer, group)


def _bring_up(engine: Engine, file: Path, backups: Path) -> None:
    """Make or migrate the schema; Alembic is loaded only where there is something to do.

    Where there is not, opening does not wait for whoever writes.
    """
    with engine.connect().execution_options(begin=READING) as connection:
        revision = _revision(connection)
        connection.rollback()
    if revision != HEAD:
        from reverie.store.migrations.runner import migrate

        with engine.connect() as connection:
            migrate(connection, file, revision, backups)


def _revision(connection: Connection) -> str | None:
    known = connection.exec_driver_sql("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").scalar()
    if not known:
        return None
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def _damaged(file: Path, error: DatabaseError) -> UserError:
    if "readonly database" in str(error.orig):
        return UserError(
            _("The vault can't be opened where nothing can be written"),
            detail=str(file),
            hint=_("Allow writing in its folder, or copy the vault into one of yours"),
        )
    return UserError(
        _("This is no vault, or a damaged one"),
        detail=f"{file}: {error.orig}",
        hint=_("Restore a backup from the folder “backups” beside it"),
    )
