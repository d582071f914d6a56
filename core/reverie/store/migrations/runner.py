"""Runs what a vault's schema lacks. There are no down-migrations: the backup made before is the way back."""

import sqlite3
from datetime import datetime
from pathlib import Path

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from reverie.errors import UserError
from reverie.i18n import _

_HERE = Path(__file__).parent


def migrate(connection: Connection, file: Path, revision: str | None, backups: Path) -> None:
    """Bring the schema from ``revision`` (None: an empty file) to the newest. Raises UserError for a newer file."""
    scripts = ScriptDirectory(str(_HERE))
    known = {script.revision: script for script in scripts.walk_revisions()}
    if revision is not None and revision not in known:
        raise UserError(
            _("This vault was made by a newer Reverie"),
            detail=_("{file} has schema {revision}").format(file=file, revision=revision),
            hint=_("Update Reverie, or restore a backup from the folder “backups”"),
        )
    if revision is not None:
        back_up(file, backups, revision)
    head = scripts.get_current_head()
    assert head is not None
    pending = list(reversed(list(scripts.iterate_revisions(head, revision))))
    steps = [script.revision for script in pending]
    context = MigrationContext.configure(connection)
    for script in pending:
        with connection.begin():
            if context.get_current_revision() in steps[steps.index(script.revision) :]:
                continue  # another process was quicker, with this step or with all
            with Operations.context(context):
                script.module.upgrade()
            _stamp(connection, script.revision)


def _stamp(connection: Connection, revision: str) -> None:
    connection.exec_driver_sql(
        "CREATE TABLE IF NOT EXISTS alembic_version (version_num TEXT NOT NULL PRIMARY KEY)"
    )
    connection.exec_driver_sql("DELETE FROM alembic_version")
    connection.exec_driver_sql("INSERT INTO alembic_version VALUES (?)", (revision,))


def back_up(file: Path, backups: Path, reason: str) -> Path:
    """A consistent copy of the database beside it; returns its path."""
    backups.mkdir(parents=True, exist_ok=True)
    target = backups / f"{file.stem}-{datetime.now():%Y%m%d-%H%M%S}-{reason}{file.suffix}"
    source = sqlite3.connect(file)
    copy = sqlite3.connect(target)
    try:
        with copy:
            source.backup(copy)
    finally:
        copy.close()
        source.close()
    return target
