"""Files and text on their way to memories."""

import time
from collections.abc import Sequence
from pathlib import Path

from reverie.domain.inbox import InboxItem, ItemState, Override
from reverie.i18n import _, ngettext
from reverie_gui.bridge.tasks import Task
from reverie_gui.context import Context
from reverie_gui.wording import memories, number

_OPEN = (ItemState.WAITING, ItemState.READING)
_LOOK_S = 0.1  # between looks at items that another worker reads


def add_files(*, context: Context, paths: Sequence[Path], kb: str = "default") -> None:
    """Takes files into the inbox, then reads them; the result is told in a toast."""

    def work(task: Task[None]) -> list[InboxItem]:
        return context.vault.ingest(list(paths), kb, task.progress, task.cancelled)

    context.tasks.run(work, on_done=lambda items: _tell(context, items), label=_("Reading files"), long=True)


def paste_text(*, context: Context, text: str, kb: str = "default") -> None:
    """Makes memories of a pasted text."""

    def work(task: Task[None]) -> list[InboxItem]:
        return _read(context, [context.vault.inbox.paste(text, kb)], task)

    context.tasks.run(work, on_done=lambda items: _tell(context, items), label=_("Reading text"), long=True)


def retry_item(*, context: Context, item: str, override: Override = Override.NONE) -> None:
    """Reads a failed, too large or ignored item again; ``override`` answers "too large"."""
    retry_items(context=context, items=[item], override=override)


def retry_items(*, context: Context, items: Sequence[str], override: Override = Override.NONE) -> None:
    """Reads several again."""
    if not items:
        return

    def work(task: Task[None]) -> list[InboxItem]:
        waiting = [context.vault.inbox.retry(item, override=override) for item in items]
        return _read(context, waiting, task)

    context.tasks.run(work, on_done=lambda read: _tell(context, read), label=_("Reading files"), long=True)


def ignore_item(*, context: Context, item: str) -> None:
    """Leaves an item unread; Retry takes it up again."""
    ignore_items(context=context, items=[item])


def ignore_items(*, context: Context, items: Sequence[str]) -> None:
    """Leaves several unread."""

    def work(_task: Task[None]) -> None:
        for item in items:
            context.vault.inbox.ignore(item)

    context.tasks.run(work)


def watch_folder(*, context: Context, folder: Path, kb: str = "default") -> None:
    """Takes what comes into a folder, from now on and what lies there already."""
    context.tasks.run(lambda _task: context.vault.inbox.watch(folder, kb), label=_("Saving"))


def unwatch_folder(*, context: Context, folder: Path) -> None:
    """Stops watching a folder; what was added stays."""
    context.tasks.run(lambda _task: context.vault.inbox.unwatch(folder), label=_("Saving"))


def _read(context: Context, items: Sequence[InboxItem], task: Task[None]) -> list[InboxItem]:
    """Works off what waits; returns these once they are finished, whoever reads them. Raises Cancelled."""
    inbox = context.vault.inbox
    inbox.run(progress=task.progress, cancelled=task.cancelled)
    while True:
        now = [inbox.get(item.id) for item in items]
        if task.cancelled() or not any(item.state in _OPEN for item in now):
            return now
        time.sleep(_LOOK_S)


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
