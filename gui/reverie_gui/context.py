"""What every pane is handed: no globals."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reverie_gui.bridge.changes import Changes
from reverie_gui.bridge.notices import Notices
from reverie_gui.bridge.tasks import Tasks
from reverie_gui.preferences import Preferences
from reverie_gui.theme.theme import Theme

if TYPE_CHECKING:
    from reverie import Vault
else:
    Vault = Any


@dataclass(frozen=True, slots=True)
class Context:
    """The open vault and the bridge to it. ``settings`` are the window's own (sizes, theme, density); the
    vault's settings are ``vault.settings``. Vault calls block: only inside ``tasks.run``."""

    vault: "Vault"
    tasks: Tasks
    changes: Changes
    notices: Notices
    settings: Preferences
    theme: Theme
