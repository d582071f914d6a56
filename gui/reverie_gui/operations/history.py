"""Undo and redo, by name, of one change and up to one."""

from collections.abc import Callable

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


def tell_undoable(context: Context, text: str) -> None:
    """A toast for what was just done, with a way back."""
    context.notices.toast(text, action=_("Undo"), act=lambda: undo(context=context))


def undo_change(*, context: Context, changeset: int, on_failed: Callable[[Exception], object]) -> None:
    """Takes back one change, whoever made it; a Conflict goes to the caller."""
    context.tasks.run(
        lambda _task: context.vault.history.undo(changeset), on_failed=on_failed, label=_("Undoing")
    )


def undo_to(
    *,
    context: Context,
    changeset: int,
    on_done: Callable[[object], object] | None = None,
    on_failed: Callable[[Exception], object],
) -> None:
    """Takes back all that came after a change, as one act; the caller has asked."""
    context.tasks.run(
        lambda _task: context.vault.history.undo_to(changeset),
        on_done=on_done,
        on_failed=on_failed,
        label=_("Undoing"),
    )
