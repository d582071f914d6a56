"""Files and text on their way to memories."""

from collections.abc import Sequence
from pathlib import Path

from reverie.domain.inbox import InboxItem, ItemState, Override
from reverie.i18n import _, ngettext
from reverie_gui.bridge.tasks import Task
from reverie_gui.context import Context
from reverie_gui.wording import memories, number


def add_files(*, context: Context, paths: Sequence[Path], kb: str = "default") -> None:
    """Takes files into the inbox, then reads them; the result is told in a toast."""

    def work(task: Task[None]) -> list[InboxItem]:
        return context.vault.ingest(list(paths), kb, task.progress, task.cancelled)

    context.tasks.run(work, on_done=lambda items: _tell(context, items), label=_("Reading files"), long=True)


def paste_text(*, context: Context, text: str, kb: str = "default") -> None:
    """Makes memories of a pasted text."""

    def work(task: Task[None]) -> list[InboxItem]:
        item = context.vault.inbox.paste(text, kb)
        context.vault.inbox.run(progress=task.progress, cancelled=task.cancelled)
        return [context.vault.inbox.get(item.id)]

    context.tasks.run(work, on_done=lambda items: _tell(context, items), label=_("Reading text"), long=True)


def read_inbox(*, context: Context) -> None:
    """Works off what waits."""
    context.tasks.run(
        lambda task: context.vault.inbox.run(progress=task.progress, cancelled=task.cancelled),
        label=_("Reading files"),
        long=True,
    )


def retry_item(*, context: Context, item: str, override: Override = Override.NONE) -> None:
    """Reads a failed or too large item again."""

    def work(task: Task[None]) -> list[InboxItem]:
        context.vault.inbox.retry(item, override=override)
        context.vault.inbox.run(progress=task.progress, cancelled=task.cancelled)
        return [context.vault.inbox.get(item)]

    context.tasks.run(work, on_done=lambda items: _tell(context, items), label=_("Reading files"), long=True)


def ignore_item(*, context: Context, item: str) -> None:
    """Leaves an item unread for good."""
    context.tasks.run(lambda _task: context.vault.inbox.ignore(item))


def _tell(context: Context, items: Sequence[InboxItem]) -> None:
    made = sum(len(item.memories) for item in items if item.state is ItemState.DONE)
    known = sum(item.state is ItemState.KNOWN for item in items)
    bad = [item for item in items if item.state in (ItemState.FAILED, ItemState.TOO_LARGE)]
    if len(items) == 1:
        source = _("from {name}").format(name=items[0].name)
    else:
        source = ngettext("from {n} file", "from {n} files", len(items)).format(n=number(len(items)))
    parts = []
    if made or not (known or bad):
        parts.append(f"{memories(made)} {source}")
    if known:
        parts.append(ngettext("{n} already known", "{n} already known", known).format(n=number(known)))
    if bad:
        parts.append(
            ngettext("{n} could not be read", "{n} could not be read", len(bad)).format(n=number(len(bad)))
        )
    if bad and len(items) == 1:
        parts = [f"{bad[0].name}: {bad[0].reason}".rstrip(": ")]
    context.notices.toast(" · ".join(parts))
