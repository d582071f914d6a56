"""What a person does to settings."""

from collections.abc import Callable

from reverie.i18n import _
from reverie.settings import Settings
from reverie_gui.appearance import LOOKS
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


def _run(
    context: Context, key: str, act: Callable[[], None], on_done: Done | None, on_failed: Failed | None
) -> None:
    def work(_task: object) -> Settings:
        act()
        return context.vault.settings

    def done(settings: Settings) -> None:
        look = next((each for each in LOOKS if each.key == key), None)
        if look is not None:  # looks act at once, through the preferences that the window listens to
            group, _dot, name = key.partition(".")
            context.settings.set(look.name, look.preferred(getattr(getattr(settings, group), name)))
        if on_done is not None:
            on_done(settings)

    context.tasks.run(work, on_done=done, on_failed=on_failed, label=_("Saving"))
