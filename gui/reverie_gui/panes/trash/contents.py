"""What emptying the trash would erase, and what it erased, in words. No Qt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.domain.memory import MemoryFilter, State
from reverie.i18n import _, ngettext
from reverie_gui.bridge.tasks import Task
from reverie_gui.context import Context
from reverie_gui.operations.trash import Emptied
from reverie_gui.wording import number

_BATCH = 500
_LISTED = 8  # names of files in a receipt


@dataclass(frozen=True, slots=True)
class Contents:
    """``files``: stored copies that the memories came from. kb None: of the whole vault."""

    kb: str | None = None
    memories: int = 0
    insights: int = 0
    files: int = 0
    backups: int = 0

    def __bool__(self) -> bool:
        return bool(self.memories or self.insights)


def count(context: Context, kb: str | None) -> Contents:
    """On a worker, quickly: how much lies in the trash."""
    vault = context.vault
    return Contents(
        kb,
        vault.memories.count(MemoryFilter(kb=kb, states=(State.TRASHED,), expired=None)),
        len(vault.insights.ids(kb, (State.TRASHED,))),
    )


def look_closer(context: Context, kb: str | None, task: Task[None]) -> Contents:
    """On a worker: also the files that would go."""
    vault = context.vault
    ids = vault.memories.ids(MemoryFilter(kb=kb, states=(State.TRASHED,), expired=None))
    files: set[str] = set()
    for start in range(0, len(ids), _BATCH):
        if task.cancelled():
            break
        batch = vault.memories.get_many(ids[start : start + _BATCH])
        files.update(memory.provenance.file for memory in batch if memory.provenance.file)
    folder = vault.path.resolve()
    inside = [name for name in files if _is_inside(folder, name)]
    backups = sum(path.is_file() for path in (vault.path / "backups").glob("*"))
    return replace(count(context, kb), files=len(inside), backups=backups)


def _is_inside(folder: Path, name: str) -> bool:
    path = (folder / name).resolve()
    return path.is_relative_to(folder) and path.is_file()


def how_much(contents: Contents) -> str:
    """ "41 memories and 2 insights"."""
    parts = []
    if contents.memories:
        words = ngettext("{n} memory", "{n} memories", contents.memories)
        parts.append(words.format(n=number(contents.memories)))
    if contents.insights:
        words = ngettext("{n} insight", "{n} insights", contents.insights)
        parts.append(words.format(n=number(contents.insights)))
    return _(" and ").join(parts)


def what_else(contents: Contents, shown: int | None) -> str:
    """What goes with them. ``shown``: how many a search leaves in the list, None without one."""
    parts = []
    if shown is not None and shown < contents.memories:
        parts.append(_("That is all of the trash, not only what the search shows."))
    parts.append(
        _("Also erased: their history, so that nothing can bring them back, and insights that quote them.")
    )
    if contents.files:
        words = ngettext(
            "The stored copy of {n} file is erased as well, even where other memories came from it.",
            "The stored copies of {n} files are erased as well, even where other memories came from them.",
            contents.files,
        )
        parts.append(words.format(n=number(contents.files)))
    if contents.backups:
        words = ngettext(
            "{n} backup of the vault is erased, because it holds them.",
            "{n} backups of the vault are erased, because they hold them.",
            contents.backups,
        )
        parts.append(words.format(n=number(contents.backups)))
    return " ".join(parts)


def receipt_lines(done: Emptied) -> Sequence[str]:
    """What went, one line each."""
    receipt = done.receipt
    if receipt is None:
        words = ngettext("{n} memory was erased", "{n} memories were erased", done.erased)
        return [words.format(n=number(done.erased)), _("The others are still in the trash.")]
    counted = [
        (receipt.memories, "{n} memory", "{n} memories"),
        (receipt.insights, "{n} insight", "{n} insights"),
        (receipt.images, "{n} entry of the history", "{n} entries of the history"),
        (
            receipt.proposals,
            "the text of {n} proposal of a dream",
            "the texts of {n} proposals of dreams",
        ),
    ]
    lines = [ngettext(one, many, n).format(n=number(n)) for n, one, many in counted if n]
    if receipt.files:
        words = ngettext("{n} file: {names}", "{n} files: {names}", len(receipt.files))
        names = ", ".join(receipt.files[:_LISTED]) + (" …" if len(receipt.files) > _LISTED else "")
        lines.append(words.format(n=number(len(receipt.files)), names=names))
    return lines


def left_lines(done: Emptied) -> Sequence[str]:
    """What could not be erased, and why."""
    return done.receipt.left if done.receipt is not None else ()
