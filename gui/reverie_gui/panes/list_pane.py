"""A pane that is one list and the detail of what is selected in it."""

from reverie_gui.panes.base import Pane
from reverie_gui.widgets.list_detail import ListDetail
from reverie_gui.widgets.list_view import ListView


class ListPane(Pane):
    """Subclasses hand their ``ListDetail`` to ``set_parts`` and fill its list; keys come from ``commands``."""

    parts: ListDetail

    @property
    def list(self) -> ListView:
        return self.parts.list

    def set_parts(self, parts: ListDetail) -> None:
        self.parts = parts
        parts.list.set_compact(self.context.settings.compact)
        parts.list.left_up.connect(lambda: self.query_wanted.emit("\0focus"))
        self.body.addWidget(parts, 1)
        self.setFocusProxy(parts)

    def bind_keys(self) -> None:
        """Once all that ``commands`` names is built."""
        for _text, key, act in self.commands():
            self.list.on_key(key, act)

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
