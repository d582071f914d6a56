"""Undo and redo, by name."""

from reverie.domain.changes import ChangeSet
from reverie.i18n import _
from reverie_gui.context import Context


def undo(*, context: Context, changeset: ChangeSet | None = None) -> None:
    """Takes back the person's last act, or the one that is given."""

    def done(undone: ChangeSet | None) -> None:
        if undone is None:
            context.notices.toast(_("Nothing to undo"))

    context.tasks.run(
        lambda _task: context.vault.undo() if changeset is None else context.vault.history.undo(changeset),
        on_done=done,
        label=_("Undoing"),
    )


def redo(*, context: Context) -> None:
    """Does the last undone act again."""

    def done(redone: ChangeSet | None) -> None:
        if redone is None:
            context.notices.toast(_("Nothing to redo"))

    context.tasks.run(lambda _task: context.vault.redo(), on_done=done, label=_("Redoing"))
