"""The way from the core to the window, which it must not import: a package entry point, found by name."""

import importlib
import importlib.util
from pathlib import Path
from types import ModuleType

from reverie.cli.display import has_display
from reverie.cli.failures import SOME_FAILED
from reverie.cli.opening import named_vault
from reverie.errors import UserError
from reverie.i18n import _

GROUP = "reverie.verbs"


def window_module() -> ModuleType | None:
    """The module that adds the window's verbs, or None where the window is not installed.

    It offers ``register(app: typer.Typer) -> None`` (adds ``open`` and ``snapshot``) and
    ``open_verb(vault: Path) -> int`` (returns when the window was closed), and imports no Qt by itself.
    """
    if importlib.util.find_spec("PySide6") is None:
        return None
    from importlib.metadata import entry_points

    for found in entry_points(group=GROUP, name="window"):
        return importlib.import_module(found.module)
    return None


def not_installed() -> UserError:
    return UserError(_("The window is not installed"), hint=_("Install it with: pip install 'reverie[gui]'"))


def open_window(vault: str | None) -> int:
    """Opens the window; where there is no screen, says so in one line and runs the demo instead."""
    module = window_module()
    if module is None:
        raise not_installed()
    if not has_display():
        from reverie.cli import demo
        from reverie.cli.output import say

        say(_("No display is available here, so the window stays closed: running “reverie demo” instead"))
        return 0 if demo.run(None) else SOME_FAILED
    return int(module.open_verb(Path(named_vault(vault))))
