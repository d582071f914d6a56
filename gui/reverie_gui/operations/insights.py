"""What a person does to insights."""

from collections.abc import Sequence

from reverie.i18n import _, ngettext
from reverie_gui.context import Context
from reverie_gui.operations.history import tell_undoable
from reverie_gui.wording import number


def trash_insights(*, context: Context, insights: Sequence[str]) -> None:
    """Puts insights in the trash; asks nothing, offers Undo. Their memories stay."""
    if not insights:
        return
    ids = list(insights)

    def done(_count: object) -> None:
        words = ngettext("Insight deleted", "{n} insights deleted", len(ids)).format(n=number(len(ids)))
        tell_undoable(context, words)

    context.tasks.run(lambda _task: context.vault.insights.trash(*ids), on_done=done, label=_("Deleting"))


def restore_insights(*, context: Context, insights: Sequence[str]) -> None:
    """Takes insights out of the trash."""
    if not insights:
        return
    ids = list(insights)

    def done(_count: object) -> None:
        words = ngettext("Insight restored", "{n} insights restored", len(ids)).format(n=number(len(ids)))
        tell_undoable(context, words)

    context.tasks.run(
        lambda _task: context.vault.insights.restore(*ids),
        on_done=done,
        label=_("Restoring"),
    )
