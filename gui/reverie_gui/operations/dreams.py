"""Dreams, on demand."""

from collections.abc import Callable

from reverie.domain.dream import DreamRun, RunState
from reverie.i18n import _, ngettext
from reverie_gui.context import Context
from reverie_gui.wording import number


def dream_now(
    *, context: Context, kb: str = "default", on_done: Callable[[DreamRun], object] | None = None
) -> None:
    """Lets a knowledge base dream; tells what came of it."""

    def done(run: DreamRun) -> None:
        context.notices.toast(outcome(run))
        if on_done is not None:
            on_done(run)

    context.tasks.run(
        lambda task: context.vault.dreams.run(kb, task.progress, task.cancelled),
        on_done=done,
        label=_("Dreaming"),
        long=True,
    )


def outcome(run: DreamRun) -> str:
    """A dream's result in one line."""
    if run.state is RunState.CANCELLED:
        return _("Dream stopped")
    merged, insights = run.counts.get("merged", 0), run.counts.get("insights", 0)
    parts = []
    if merged:
        parts.append(ngettext("{n} memory merged", "{n} memories merged", merged).format(n=number(merged)))
    if insights:
        parts.append(ngettext("{n} insight", "{n} insights", insights).format(n=number(insights)))
    return (
        _("Dream done: {what}").format(what=", ".join(parts)) if parts else _("Dream done: nothing to change")
    )
