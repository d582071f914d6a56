"""The commands of the window, by menu; panes and themes come from their own lists."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from reverie_gui.commands import Command

if TYPE_CHECKING:
    from reverie_gui.main_window import MainWindow


def _tr(text: str) -> str:
    return QCoreApplication.translate("MainWindow", text)


def file_commands(window: "MainWindow") -> list[Command]:
    return [
        Command("new", "file", _tr("New memory"), window.new_memory, ("Ctrl+N",)),
        Command("add", "file", _tr("Add files…"), window.choose_files, ("Ctrl+O",)),
        Command("paste", "file", _tr("Paste as memory"), window.paste, ("Ctrl+Shift+V",)),
        Command("dream", "file", _tr("Dream now"), window.dream, ("Ctrl+D",), separate=True),
        Command(
            "export",
            "file",
            _tr("Export to JSON…"),
            window.choose_export,
            ("Ctrl+Shift+E",),
            separate=True,
        ),
        Command("quit", "file", _tr("Quit"), window.close, ("Ctrl+Q",), separate=True),
    ]


def edit_commands(window: "MainWindow") -> list[Command]:
    return [
        Command("undo", "edit", _tr("Undo"), window.undo, ("Ctrl+Z",)),
        Command("redo", "edit", _tr("Redo"), window.redo, ("Ctrl+Shift+Z", "Ctrl+Y")),
        Command("delete", "edit", _tr("Delete"), window.delete, ("Del",), separate=True),
        Command("all", "edit", _tr("Select all"), window.select_all, ("Ctrl+A",)),
        Command("find", "edit", _tr("Find"), window.searching.focus, ("Ctrl+F",), separate=True),
        Command(
            "save", "edit", _tr("Save or forget this search"), window.searching.toggle_saved, ("Ctrl+S",)
        ),
    ]


def view_commands(window: "MainWindow") -> list[Command]:
    toggle = window.toggle_sidebar
    return [
        Command("sidebar", "view", _tr("Sidebar"), toggle, ("Ctrl+B",), checkable=True, separate=True),
        Command(
            "density",
            "view",
            _tr("Compact rows"),
            window.toggle_density,
            ("Ctrl+Shift+D",),
            checkable=True,
        ),
        Command(
            "larger",
            "view",
            _tr("Larger text"),
            lambda: window.zoom(0.1),
            ("Ctrl++", "Ctrl+="),
            separate=True,
        ),
        Command("smaller", "view", _tr("Smaller text"), lambda: window.zoom(-0.1), ("Ctrl+-",)),
        Command("normal", "view", _tr("Normal text size"), lambda: window.zoom(0), ("Ctrl+0",)),
    ]


def go_commands(window: "MainWindow") -> list[Command]:
    return [
        Command("palette", "go", _tr("Command or memory…"), window.open_palette, ("Ctrl+K",)),
        Command("back", "go", _tr("Back"), window.back, ("Alt+Left",), separate=True),
        Command("forward", "go", _tr("Forward"), window.forward, ("Alt+Right",)),
        Command(
            "next",
            "go",
            _tr("Next part of the window"),
            lambda: window.cycle(1),
            ("F6",),
            separate=True,
        ),
        Command(
            "previous",
            "go",
            _tr("Previous part of the window"),
            lambda: window.cycle(-1),
            ("Shift+F6",),
        ),
        Command("keys", "help", _tr("Keyboard shortcuts"), window.show_shortcuts, ("F1",)),
        Command("language", "help", _tr("Search language"), window.searching.show_language),
    ]
