"""Who does a job that only one process at a time may do. A lease ends by itself where its holder died."""

import os
import secrets
from datetime import timedelta

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from reverie.domain.clock import now, span_micros, to_micros
from reverie.store.tables import leases
from reverie.store.writer import Writer

LEASE = timedelta(seconds=30)
HOLDER = f"{os.getpid()}-{secrets.token_hex(4)}"  # this process


class Leases:
    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def take(self, name: str, span: timedelta = LEASE) -> bool:
        """Take or renew; False where another process holds it."""
        return self._writer.derive([], lambda connection: hold(connection, name, span))

    def release(self, name: str) -> None:
        mine = (leases.c.name == name, leases.c.holder == HOLDER)
        self._writer.derive([], lambda connection: connection.execute(delete(leases).where(*mine)))


def hold(connection: Connection, name: str, span: timedelta = LEASE) -> bool:
    """Take or renew a lease inside a transaction."""
    at = to_micros(now())
    held = connection.execute(select(leases).where(leases.c.name == name)).first()
    if held is not None and held.holder != HOLDER and held.expires_at > at:
        return False
    values = {"holder": HOLDER, "expires_at": at + span_micros(span)}
    statement = insert(leases).values(name=name, **values)
    connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=values))
    return True


def is_held(connection: Connection, name: str) -> bool:
    statement = select(leases.c.name).where(leases.c.name == name, leases.c.expires_at > to_micros(now()))
    return connection.execute(statement).first() is not None
