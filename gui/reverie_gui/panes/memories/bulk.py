"""Several memories selected: what they have in common, and what can be done to all. Each act is one undo step."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from reverie.domain.memory import Kind, Memory
from reverie_gui.context import Context
from reverie_gui.operations.memories import edit_memories, restore_memories, tag_memories, trash_memories
from reverie_gui.theme.shapes import kind_icon
from reverie_gui.widgets.category_field import CategoryField
from reverie_gui.widgets.chips import TagChips
from reverie_gui.widgets.detail_page import DetailPage, Facts, Section
from reverie_gui.widgets.expiry_menu import ExpiryMenu
from reverie_gui.widgets.flow_layout import flowing
from reverie_gui.widgets.looks import button, label, row
from reverie_gui.wording import kind_word, memories, number

_LOOKED_AT = 2000  # memories whose values are summed up; above that, the numbers say "of the first 2,000"


class BulkDetail(DetailPage):
    def __init__(self, context: Context, *, trashed: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._ids: list[str] = []
        self._pinned = self._muted = False
        self._common: list[str] = []
        self.title = label(style="title")
        self.note = label(style="meta", look="faint")
        for part in (self.title, 16, self._build_acts(trashed), 16, self._build_facts(), self.note):
            if isinstance(part, int):
                self.content.addSpacing(part)
            else:
                self.content.addWidget(part)
        self.common = Section(self.tr("Values"))
        self.content.addWidget(self.common)
        self.content.addStretch(1)

    def _build_acts(self, trashed: bool) -> QWidget:
        self.pin = button(
            self.tr("Pin"), self.toggle_pin, tip=self.tr("Never merged, retired or decayed (P)")
        )
        self.mute = button(
            self.tr("Mute"), self.toggle_mute, tip=self.tr("You find them, agents are never given them (M)")
        )
        self.kind = button(self.tr("Kind…"), lambda: self._open_kinds(self.kind))
        self.expires = button(self.tr("Expires…"), lambda: self._open_expiry(self.expires))
        self.bin = button(self.tr("Delete"), self._trash, "danger", self.tr("Into the trash (Del)"))
        self.restore = button(self.tr("Restore"), self._restore, tip=self.tr("Out of the trash (R)"))
        return (
            flowing(self.restore)
            if trashed
            else flowing(self.pin, self.mute, self.kind, self.expires, self.bin)
        )

    def _build_facts(self) -> Facts:
        self.tags = TagChips(self._context.theme)
        self.tags.changed.connect(self._tagged)
        self.category = CategoryField()
        self.category.setPlaceholderText(self.tr("Several"))
        self.category.chosen.connect(self._categorised)
        self.facts = Facts()
        self.facts.add("tags", self.tr("Tags of all"), self.tags)
        self.facts.add("category", self.tr("Category"), self.category)
        return self.facts

    # Showing.

    def show_ids(self, ids: Sequence[str]) -> None:
        """Shows how many are selected at once, and what they share as soon as it is known."""
        self._ids = list(ids)
        self.title.setText(self.tr("{memories} selected").format(memories=memories(len(ids))))
        self.refresh()

    def refresh(self) -> None:
        """What the selected memories hold may have changed."""
        context, wanted = self._context, list(self._ids[:_LOOKED_AT])
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
        self._pinned = bool(found) and all(memory.pinned for memory in found)
        self._muted = bool(found) and all(memory.muted for memory in found)
        self.pin.setText(self.tr("Unpin") if self._pinned else self.tr("Pin"))
        self.mute.setText(self.tr("Unmute") if self._muted else self.tr("Mute"))
        tags = Counter(tag for memory in found for tag in memory.tags)
        self._common = [tag for tag, count in tags.items() if count == len(found)]
        self.tags.set_tags(self._common)
        categories = Counter(memory.category for memory in found)
        self.category.set_category(next(iter(categories)) if len(categories) == 1 else "")
        kinds = Counter(memory.kind for memory in found)
        lines = [(kind_word(kind), count) for kind, count in kinds.most_common()]
        lines += list(categories.most_common(5)) + [(f"#{tag}", count) for tag, count in tags.most_common(8)]
        self.common.set_rows(_counted(text, count) for text, count in lines)

    # Acting.

    def toggle_pin(self) -> None:
        self._set(pinned=not self._pinned)

    def toggle_mute(self) -> None:
        self._set(muted=not self._muted)

    def _open_kinds(self, anchor: QWidget) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        look = self._context.theme.palette
        for kind in Kind:
            act = menu.addAction(kind_icon(kind, look.kinds[kind]), kind_word(kind))
            act.triggered.connect(lambda _on=False, kind=kind: self._set(kind=kind))
        menu.popup(anchor.mapToGlobal(anchor.rect().bottomLeft()))

    def _open_expiry(self, anchor: QWidget) -> None:
        menu = ExpiryMenu(self)
        menu.chosen.connect(lambda moment: self._set(expires_at=moment))
        menu.open_under(anchor)

    def _tagged(self, tags: list[str]) -> None:
        add = [tag for tag in tags if tag not in self._common]
        remove = [tag for tag in self._common if tag not in tags]
        self._common = tags
        tag_memories(context=self._context, memories=self._ids, add=add, remove=remove)

    def _categorised(self, category: str) -> None:
        if category:
            self._set(category=category)

    def _set(self, **fields: Any) -> None:
        edit_memories(context=self._context, memories=self._ids, **fields)

    def _trash(self) -> None:
        trash_memories(context=self._context, memories=self._ids)

    def _restore(self) -> None:
        restore_memories(context=self._context, memories=self._ids)


def _counted(text: str, count: int) -> QWidget:
    """A value, and how many have it, in the columns of the facts."""
    made = QWidget()
    how_many = label(number(count), "base", "label")
    how_many.setMinimumWidth(104)
    made.setLayout(row(how_many, label(text, "base"), -1, gap=8))
    return made
