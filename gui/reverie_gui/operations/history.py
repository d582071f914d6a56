"""Undo and redo, by name."""

from reverie.errors import NotFound
from reverie.i18n import _
from reverie_gui.context import Context


def undo(*, context: Context, changeset: int | None = None) -> None:
    """Takes back the person's last act, or the one with this id."""

    context.tasks.run(
        lambda _task: context.vault.undo(changeset),
        on_failed=lambda error: _tell(context, error),
        label=_("Undoing"),
    )


def redo(*, context: Context) -> None:
    """Does the last undone act again."""

    context.tasks.run(
        lambda _task: context.vault.redo(), on_failed=lambda error: _tell(context, error), label=_("Redoing")
    )


def _tell(context: Context, error: Exception) -> None:
    if isinstance(error, NotFound):  # nothing left: Ctrl+Z once too often is no failure
        context.notices.toast(error.title)
    else:
        context.notices.failure(error)
