"""What the window remembers of itself: sizes, theme, density."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

from reverie_gui.theme.theme import CHOICES, Choice


class Preferences(QObject):
    """Kept in an INI file. Signals: ``changed(name)`` when a value was set to another."""

    changed = Signal(str)

    def __init__(self, file: Path | None = None, parent: QObject | None = None) -> None:
        """``file`` None keeps them in memory's place of the platform for this user."""
        super().__init__(parent)
        self._store = QSettings(str(file or default_file()), QSettings.Format.IniFormat)

    def text(self, name: str, default: str = "") -> str:
        return str(self._store.value(name, default))

    def flag(self, name: str, default: bool = False) -> bool:
        return self.text(name, "true" if default else "false") == "true"

    def number(self, name: str, default: float) -> float:
        try:
            return float(self.text(name, str(default)))
        except ValueError:
            return default

    def sizes(self, name: str) -> list[int]:
        """Whole numbers that were kept with ``set_sizes``; empty if there are none."""
        return [int(part) for part in self.text(name).split(" ") if part.isdigit()]

    def texts(self, name: str) -> list[str]:
        return [line for line in self.text(name).split("\n") if line]

    def data(self, name: str) -> QByteArray:
        return QByteArray.fromBase64(self.text(name).encode())

    def set(self, name: str, value: str | bool | float) -> None:
        text = ("true" if value else "false") if isinstance(value, bool) else str(value)
        if self.text(name, "\0") != text:
            self._store.setValue(name, text)
            self.changed.emit(name)

    def set_sizes(self, name: str, sizes: list[int]) -> None:
        self.set(name, " ".join(map(str, sizes)))

    def set_texts(self, name: str, texts: list[str]) -> None:
        self.set(name, "\n".join(texts))

    def set_data(self, name: str, data: QByteArray) -> None:
        self.set(name, bytes(data.toBase64().data()).decode())

    @property
    def theme(self) -> Choice:
        kept = self.text("theme", "system")
        return kept if kept in CHOICES else "system"

    @property
    def compact(self) -> bool:
        return self.flag("compact")

    def save(self) -> None:
        """Writes to the file now (Qt does so by itself as well)."""
        self._store.sync()


def default_file() -> Path:
    """The file in the platform's configuration folder."""
    from platformdirs import user_config_path

    return user_config_path("reverie", appauthor=False) / "window.ini"
