"""What a person does to settings."""

from collections.abc import Callable, Collection

from PySide6.QtCore import QObject

from reverie.i18n import _
from reverie.settings import Settings
from reverie_gui.appearance import LOOKS, stored_value
from reverie_gui.context import Context

Failed = Callable[[Exception], object]
Done = Callable[[Settings], object]


def change_setting(
    *, context: Context, key: str, value: object, on_done: Done | None = None, on_failed: Failed | None = None
) -> None:
    """Stores one setting in the vault's file; ``on_done`` gets all as they stand then."""
    _run(context, key, lambda: context.vault.change_setting(key, value), on_done, on_failed)


def reset_setting(
    *, context: Context, key: str, on_done: Done | None = None, on_failed: Failed | None = None
) -> None:
    """Back to the default."""
    _run(context, key, lambda: context.vault.reset_setting(key), on_done, on_failed)


def refresh_settings(*, context: Context, on_changed: Done, owner: QObject) -> None:
    """Reads the file again where another program has changed it; a damaged one is told in the window."""
    before = context.vault.held_settings

    def done(_read: Settings) -> None:
        now = context.vault.held_settings  # what was read may be older than what a person has changed since
        if now != before:
            changed = {
                look.key for look in LOOKS if stored_value(now, look.key) != stored_value(before, look.key)
            }
            _take_looks(context, now, changed)
            on_changed(now)

    context.tasks.run(
        lambda _task: context.vault.reload_settings(), on_done=done, channel="settings/refresh", owner=owner
    )


def _take_looks(context: Context, settings: Settings, keys: Collection[str]) -> None:
    """Looks act at once, through the preferences that the window listens to."""
    for look in LOOKS:
        if look.key in keys:
            context.settings.set(look.name, look.preferred(stored_value(settings, look.key)))


def _run(
    context: Context, key: str, act: Callable[[], None], on_done: Done | None, on_failed: Failed | None
) -> None:
    def work(_task: object) -> Settings:
        act()
        return context.vault.held_settings

    def done(settings: Settings) -> None:
        _take_looks(context, settings, {key})
        if on_done is not None:
            on_done(settings)

    context.tasks.run(work, on_done=done, on_failed=on_failed, label=_("Saving"))
