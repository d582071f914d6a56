"""Theme, density and letter keys: the vault's settings and what the window knows before a vault is open, kept the same."""

from dataclasses import dataclass

from PySide6.QtCore import QObject

from reverie.settings import Settings
from reverie_gui.context import Context


@dataclass(frozen=True, slots=True)
class Look:
    """One setting of looks: its key in the vault, its name in the window's preferences, and both words for it."""

    key: str
    name: str
    words: tuple[tuple[str, object], ...]
    default: str

    def preferred(self, value: object) -> str:
        """The vault's value as the preferences have it."""
        return next((word for word, stored in self.words if stored == value), self.default)

    def stored(self, word: str) -> object:
        return dict(self.words).get(word, dict(self.words)[self.default])


LOOKS = (
    Look(
        "appearance.theme",
        "theme",
        (("system", "system"), ("light", "light"), ("dark", "dark")),
        "system",
    ),
    Look("appearance.density", "compact", (("false", "comfortable"), ("true", "compact")), "false"),
    Look("appearance.single_letter_keys", "letters", (("true", True), ("false", False)), "true"),
)


class Appearance(QObject):
    """Takes over what the vault says when it is opened, and stores there what a menu changes."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        origins = context.vault.held_settings.origins
        for look in LOOKS:
            if look.key in origins:
                context.settings.set(look.name, look.preferred(vault_value(context, look.key)))
        context.settings.changed.connect(self._store)

    def _store(self, name: str) -> None:
        context = self._context
        look = next((each for each in LOOKS if each.name == name), None)
        if look is None:
            return
        value = look.stored(context.settings.text(name, look.default))
        from_outside = context.vault.held_settings.origins.get(look.key, "file") != "file"
        if value != vault_value(context, look.key) and not from_outside:
            key = look.key
            context.tasks.run(lambda _task: context.vault.change_setting(key, value))


def vault_value(context: Context, key: str) -> object:
    """The value of "group.name" as the vault has it; memory only, no file is read."""
    return stored_value(context.vault.held_settings, key)


def stored_value(settings: Settings, key: str) -> object:
    """The value of "group.name"."""
    group, _, name = key.partition(".")
    return getattr(getattr(settings, group), name)
