"""Several memories selected: what they have in common, and what can be done to all."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from reverie.domain.memory import Memory
from reverie_gui.context import Context
from reverie_gui.operations.memories import edit_memories, restore_memories, tag_memories, trash_memories
from reverie_gui.widgets.category_field import CategoryField
from reverie_gui.widgets.chips import TagChips
from reverie_gui.widgets.detail_page import DetailPage, Facts, Section
from reverie_gui.widgets.looks import button, label, row
from reverie_gui.wording import kind_word, memories, number

_LOOKED_AT = 2000  # memories whose values are summed up; above that, the numbers say "of the first 2,000"


class BulkDetail(DetailPage):
    """Signals: ``done()`` an act was started."""

    done = Signal()

    def __init__(self, context: Context, *, trashed: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ids: list[str] = []
        self.title = label(style="title")
        self.note = label(style="meta", look="faint")
        self.tags = TagChips(context.theme)
        self.tags.changed.connect(self._tagged)
        self._common: list[str] = []
        self.category = CategoryField()
        self.category.setPlaceholderText(self.tr("Several"))
        self.category.chosen.connect(self._categorised)
        facts = Facts()
        facts.add("tags", self.tr("Tags of all"), self.tags)
        facts.add("category", self.tr("Category"), self.category)
        self.facts = facts
        acts = row(gap=8)
        if trashed:
            acts.addWidget(button(self.tr("Restore"), self._restore))
        else:
            acts.addWidget(button(self.tr("Pin"), lambda: self._set(pinned=True)))
            acts.addWidget(button(self.tr("Unpin"), lambda: self._set(pinned=False)))
            acts.addWidget(button(self.tr("Mute"), lambda: self._set(muted=True)))
            acts.addWidget(button(self.tr("Unmute"), lambda: self._set(muted=False)))
            acts.addWidget(button(self.tr("Delete"), self._trash, "danger"))
        acts.addStretch(1)
        self.common = Section(self.tr("Common values"))
        for part in (self.title, self.note):
            self.content.addWidget(part)
        self.content.addSpacing(16)
        self.content.addLayout(acts)
        self.content.addSpacing(16)
        self.content.addWidget(facts)
        self.content.addWidget(self.common)
        self.content.addStretch(1)

    def show_ids(self, ids: Sequence[str]) -> None:
        """Shows how many are selected at once, and what they share as soon as it is known."""
        self._ids = list(ids)
        self.title.setText(self.tr("{memories} selected").format(memories=memories(len(ids))))
        context, wanted = self._context, list(ids[:_LOOKED_AT])
        context.tasks.run(
            lambda _task: context.vault.memories.get_many(wanted),
            on_done=self._sum_up,
            channel="memories/bulk",
            owner=self,
        )

    def set_known(self, tags: Sequence[str], categories: Sequence[str]) -> None:
        self.tags.set_known(tags)
        self.category.set_known(categories)

    def _sum_up(self, found: Sequence[Memory]) -> None:
        few = len(self._ids) > _LOOKED_AT
        self.note.setText(self.tr("Of the first {n}:").format(n=number(_LOOKED_AT)) if few else "")
        self.note.setVisible(few)
        tags = Counter(tag for memory in found for tag in memory.tags)
        self._common = [tag for tag, count in tags.items() if count == len(found)]
        self.tags.set_tags(self._common)
        categories = Counter(memory.category for memory in found)
        self.category.set_category(next(iter(categories)) if len(categories) == 1 else "")
        kinds = Counter(memory.kind for memory in found)
        lines = [(kind_word(kind), count) for kind, count in kinds.most_common()]
        lines += list(categories.most_common(5)) + [(f"#{tag}", count) for tag, count in tags.most_common(8)]
        self.common.set_rows(
            row(label(text, "base"), -1, label(number(count), "meta", "faint")) for text, count in lines
        )

    def _tagged(self, tags: list[str]) -> None:
        add = [tag for tag in tags if tag not in self._common]
        remove = [tag for tag in self._common if tag not in tags]
        self._common = tags
        tag_memories(context=self._context, memories=self._ids, add=add, remove=remove)
        self.done.emit()

    def _categorised(self, category: str) -> None:
        if category:
            self._set(category=category)

    def _set(self, **fields: Any) -> None:
        edit_memories(context=self._context, memories=self._ids, **fields)
        self.done.emit()

    def _trash(self) -> None:
        trash_memories(context=self._context, memories=self._ids)

    def _restore(self) -> None:
        restore_memories(context=self._context, memories=self._ids)
