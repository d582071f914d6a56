"""Which snapshot of an index belongs to this store: see ``search.snapshot``."""

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from reverie.store.readers import Readers
from reverie.store.tables import settings
from reverie.store.writer import Writer

FOLDER = "index"  # in the vault's folder

_PREFIX = "snapshot/"
_ERASED = "erasures"  # how often something was forgotten for good


class Snapshots:
    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    def token(self, name: str) -> str:
        """Of the newest snapshot, "" where there is none."""
        with self._readers.read() as connection:
            return _value(connection, _PREFIX + name)

    def erasures(self) -> str:
        """To be asked before rows are read for a snapshot."""
        with self._readers.read() as connection:
            return _value(connection, _ERASED)

    def keep(self, name: str, token: str, erasures: str) -> bool:
        """Make it the newest one; False where something was forgotten since, which may be in it."""

        def act(connection: Connection) -> bool:
            if _value(connection, _ERASED) != erasures:
                return False
            _put(connection, _PREFIX + name, token)
            return True

        return self._writer.derive([], act)


def forget(connection: Connection) -> None:
    """No snapshot is of use any more: something that is in them was erased."""
    connection.execute(delete(settings).where(settings.c.name.startswith(_PREFIX)))
    _put(connection, _ERASED, str(int(_value(connection, _ERASED) or 0) + 1))


def _value(connection: Connection, name: str) -> str:
    return connection.execute(select(settings.c.value).where(settings.c.name == name)).scalar() or ""


def _put(connection: Connection, name: str, value: str) -> None:
    statement = insert(settings).values(name=name, value=value)
    connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"value": value}))
