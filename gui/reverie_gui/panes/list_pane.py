"""A pane that is one list and the detail of what is selected in it."""

from reverie_gui.panes.base import Pane
from reverie_gui.widgets.list_detail import ListDetail


class ListPane(Pane):
    """Subclasses hand their ``ListDetail`` to ``set_parts`` and fill its list; keys come from ``commands``."""

    parts: ListDetail

    def set_parts(self, parts: ListDetail) -> None:
        self.parts = parts
        self.list = parts.list
        parts.list.set_compact(self.context.settings.compact)
        parts.list.left_up.connect(self.search_wanted)
        parts.filled.connect(self._filled)
        parts.empty.said.connect(self.primary_changed)
        self.body.addWidget(parts, 1)
        self.setFocusProxy(parts)

    def _filled(self, on: bool) -> None:
        self.primary_changed.emit()
        if on and not self.list.selected_count():
            self.list.select_row(0)

    def bind_keys(self) -> None:
        """Once all that ``commands`` names is built."""
        for _text, key, act in self.commands():
            self.list.on_key(key, act)

    def offers_primary(self) -> bool:
        return not self.parts.is_filled and self.parts.empty.is_primary

    def keys(self) -> list[tuple[str, str]]:
        return [
            ("J K", self.tr("Next, previous")),
            (self.tr("Enter"), self.tr("Open")),
            ("/", self.tr("Search")),
            *super().keys(),
        ]

    def focus_list(self) -> None:
        self.parts.enter()

    def select_all(self) -> None:
        self.list.selectAll()

    def escape(self) -> None:
        self.list.clearSelection()

    def set_compact(self, compact: bool) -> None:
        self.list.set_compact(compact)

    def set_narrow(self, narrow: bool) -> None:
        self.parts.set_narrow(narrow)

    def back(self) -> bool:
        return self.parts.back()
