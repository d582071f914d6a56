"""Erasing for good what lies in the trash."""

from collections.abc import Callable
from dataclasses import dataclass

from reverie.domain.receipt import Receipt
from reverie.errors import Cancelled
from reverie.i18n import _
from reverie_gui.bridge.tasks import Task
from reverie_gui.context import Context


@dataclass(frozen=True, slots=True)
class Emptied:
    """``receipt`` None where the person stopped it; ``erased`` memories were finished by then."""

    receipt: Receipt | None
    erased: int = 0


def empty_trash(
    *,
    context: Context,
    kb: str | None = None,
    on_done: Callable[[Emptied], object],
    on_failed: Callable[[Exception], object] | None = None,
) -> Task[Emptied]:
    """The caller has asked. ``on_done`` gets the receipt, or how many went before the person stopped it."""

    def work(task: Task[Emptied]) -> Emptied:
        try:
            receipt = context.vault.empty_trash(kb, task.progress, task.cancelled)
        except Cancelled as stopped:
            return Emptied(None, stopped.finished)
        return Emptied(receipt, receipt.memories)

    return context.tasks.run(work, on_done=on_done, on_failed=on_failed, label=_("Erasing"), long=True)
