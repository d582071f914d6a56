"""What a person does to memories."""

from collections.abc import Callable, Sequence
from typing import Any

from reverie.domain.ids import MemoryId
from reverie.domain.memory import Memory
from reverie.i18n import _, ngettext
from reverie_gui.context import Context
from reverie_gui.operations.history import tell_undoable
from reverie_gui.wording import number

Done = Callable[[Any], object]
Failed = Callable[[Exception], object]


def edit_memory(
    *,
    context: Context,
    memory: str,
    on_done: Callable[[Memory], object] | None = None,
    on_failed: Failed | None = None,
    **fields: Any,
) -> None:
    """Changes fields of one memory: one undo step."""
    context.tasks.run(
        lambda _task: context.vault.memories.update(MemoryId(memory), **fields),
        on_done=on_done,
        on_failed=on_failed,
        label=_("Saving"),
    )


def edit_memories(
    *, context: Context, memories: Sequence[str], on_done: Done | None = None, **fields: Any
) -> None:
    """Changes the same fields of many: one undo step."""
    ids = [MemoryId(each) for each in memories]
    context.tasks.run(
        lambda _task: context.vault.memories.update_many(ids, **fields), on_done=on_done, label=_("Saving")
    )


def tag_memories(
    *, context: Context, memories: Sequence[str], add: Sequence[str] = (), remove: Sequence[str] = ()
) -> None:
    """Adds and removes tags of many: one undo step."""
    ids = [MemoryId(each) for each in memories]

    def work(_task: object) -> int:
        before = {memory.id: memory.tags for memory in context.vault.memories.get_many(ids)}
        after = context.vault.memories.update_many(list(before), add_tags=add, remove_tags=remove)
        return sum(memory.tags != before[memory.id] for memory in after)

    def done(count: int) -> None:
        words = ngettext("{n} memory tagged", "{n} memories tagged", count)
        context.notices.toast(words.format(n=number(count)))

    context.tasks.run(work, on_done=done, label=_("Tagging"))


def trash_memories(*, context: Context, memories: Sequence[str], on_failed: Failed | None = None) -> None:
    """Puts memories in the trash; asks nothing, offers Undo."""
    if not memories:
        return
    ids = [MemoryId(each) for each in memories]

    def done(_count: object) -> None:
        words = ngettext("Memory deleted", "{n} memories deleted", len(ids)).format(n=number(len(ids)))
        tell_undoable(context, words)

    context.tasks.run(
        lambda _task: context.vault.memories.trash(*ids),
        on_done=done,
        on_failed=on_failed,
        label=_("Deleting"),
    )


def restore_memories(*, context: Context, memories: Sequence[str]) -> None:
    """Takes memories out of the trash."""
    if not memories:
        return
    ids = [MemoryId(each) for each in memories]

    def done(_count: object) -> None:
        words = ngettext("Memory restored", "{n} memories restored", len(ids)).format(n=number(len(ids)))
        tell_undoable(context, words)

    context.tasks.run(lambda _task: context.vault.memories.restore(*ids), on_done=done, label=_("Restoring"))


def restore_version(*, context: Context, memory: str, operation: int) -> None:
    """Gives a memory the fields that it had at an operation of its history."""
    context.tasks.run(
        lambda _task: context.vault.memories.restore_version(MemoryId(memory), operation),
        on_done=lambda _memory: tell_undoable(context, _("Earlier version restored")),
        label=_("Restoring"),
    )
