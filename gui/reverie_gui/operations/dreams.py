"""Dreams, on demand, and the way back."""

from collections.abc import Callable

from reverie.domain.dream import DreamRun, RunState
from reverie.i18n import _, ngettext
from reverie_gui.bridge.notices import Banner
from reverie_gui.bridge.tasks import Task, Tasks
from reverie_gui.context import Context
from reverie_gui.wording import number

Failed = Callable[[Exception], object]


def dream_now(
    *,
    context: Context,
    kb: str = "default",
    on_done: Callable[[DreamRun], object] | None = None,
    on_failed: Failed | None = None,
) -> Task[DreamRun]:
    """Lets a knowledge base dream; tells what came of it. The task can be cancelled."""

    def done(run: DreamRun) -> None:
        if run.state is RunState.FAILED:
            context.notices.banner(Banner(_("The dream failed; nothing was changed"), run.reason))
        else:
            context.notices.toast(outcome(run))
        if on_done is not None:
            on_done(run)

    return context.tasks.run(
        lambda task: context.vault.dreams.run(kb, task.progress, task.cancelled),
        on_done=done,
        on_failed=on_failed,
        label=_label(),
        long=True,
    )


def dreaming(tasks: Tasks) -> Task[DreamRun] | None:
    """The dream that this window has started and that is going on."""
    return next((task for task in tasks.running if task.label == _label()), None)


def undo_dream(*, context: Context, run: DreamRun, on_failed: Failed) -> None:
    """Takes back all that a dream changed, as one step that Redo brings back."""
    operation = run.operation
    if operation is None:
        return
    context.tasks.run(lambda _task: context.vault.undo(operation), on_failed=on_failed, label=_("Undoing"))


def outcome(run: DreamRun) -> str:
    """A dream's result in one line."""
    if run.state is RunState.CANCELLED:
        return _("Dream stopped; nothing was changed")
    if run.state is RunState.FAILED:
        return _("The dream failed; nothing was changed")
    parts = counts_in_words(run)
    return (
        _("Dream done: {what}").format(what=", ".join(parts)) if parts else _("Dream done: nothing to change")
    )


def counts_in_words(run: DreamRun) -> list[str]:
    """What a dream did, the counts that are not 0: "12 merged", "3 insights", "2 vetoed"."""
    words = (
        ("merged", ngettext("{n} merged", "{n} merged", run.counts.get("merged", 0))),
        ("insights", ngettext("{n} insight", "{n} insights", run.counts.get("insights", 0))),
        ("vetoed", ngettext("{n} vetoed", "{n} vetoed", run.counts.get("vetoed", 0))),
        ("skipped", ngettext("{n} skipped", "{n} skipped", run.counts.get("skipped", 0))),
    )
    return [text.format(n=number(run.counts[name])) for name, text in words if run.counts.get(name)]


def _label() -> str:
    return _("Dreaming")
