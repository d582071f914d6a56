"""Every command of the window, once: the menus, the shortcuts, the palette and the help are made from this."""

from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from reverie_gui.panes import PANES
from reverie_gui.theme.theme import CHOICES

Act = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Command:
    """id: its name for code. keys: shortcuts, the first is shown. hint: a key that a list handles itself."""

    id: str
    menu: str
    text: str
    act: Act
    keys: tuple[str, ...] = ()
    hint: str = ""
    checkable: bool = False
    separate: bool = False
    words: tuple[str, ...] = field(default=())


class Commands(QObject):
    """Makes the actions and the menu bar of a window."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.actions: dict[str, QAction] = {}
        self._menus: dict[str, QMenu] = {}
        for name, title in (
            ("file", self.tr("&File")),
            ("edit", self.tr("&Edit")),
            ("view", self.tr("&View")),
            ("go", self.tr("&Go")),
            ("help", self.tr("&Help")),
        ):
            self._menus[name] = window.menuBar().addMenu(title)

    def menu(self, name: str) -> QMenu:
        return self._menus[name]

    def add(self, command: Command) -> QAction:
        """Adds a command to its menu."""
        menu = self._menus[command.menu]
        if command.separate and not menu.isEmpty():
            menu.addSeparator()
        made = QAction(command.text + (f"\t{command.hint}" if command.hint else ""), self._window)
        made.setShortcuts([QKeySequence(keys) for keys in command.keys])
        made.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        made.setCheckable(command.checkable)
        made.triggered.connect(lambda _on=False: command.act())
        menu.addAction(made)
        self.actions[command.id] = made
        return made

    def add_all(self, commands: list[Command]) -> None:
        for command in commands:
            self.add(command)

    def add_panes(self, open_pane: Callable[[str], object]) -> None:
        """Ctrl+1 .. Ctrl+9 in the order of the sidebar."""
        for place, spec in enumerate(PANES, start=1):
            keys = (f"Ctrl+{place}",) if place <= 9 else ()
            self.add(Command(f"pane/{spec.id}", "view", spec.name, lambda id=spec.id: open_pane(id), keys))  # type: ignore[misc]

    def add_themes(self, choose: Callable[[str], object], chosen: str) -> None:
        """System, light, dark: one is checked."""
        titles = {"system": self.tr("As the system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        menu = self._menus["view"].addMenu(self.tr("Theme"))
        group = QActionGroup(self)
        for name in CHOICES:
            act = QAction(titles[name], self._window)
            act.setCheckable(True)
            act.setChecked(name == chosen)
            act.triggered.connect(lambda _on=False, name=name: choose(name))
            group.addAction(act)
            menu.addAction(act)
            self.actions[f"theme/{name}"] = act

    def keys(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The shortcuts of each menu, as (title, [(keys, words), ...])."""
        found = []
        for menu in self._menus.values():
            rows = [
                (act.shortcut().toString(QKeySequence.SequenceFormat.NativeText), act.text())
                for act in menu.actions()
                if not act.shortcut().isEmpty()
            ]
            found.append((menu.title().replace("&", ""), rows))
        return found

    def listed(self) -> list[tuple[str, str, QAction]]:
        """Each command as (words, keys, action), for the palette and the help."""
        found = []
        for name, act in self.actions.items():
            text, _, hint = act.text().replace("&", "").partition("\t")
            keys = act.shortcut().toString(QKeySequence.SequenceFormat.NativeText) or hint
            prefix = self.tr("Theme: ") if name.startswith("theme/") else ""
            prefix = self.tr("Go to ") if name.startswith("pane/") else prefix
            found.append((prefix + text, keys, act))
        return found
