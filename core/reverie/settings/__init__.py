"""Every setting, declared once: the file, the environment, the window and the docs all come from here."""

from reverie.settings.access import change, describe, load, reset
from reverie.settings.declare import Secret, SettingInfo
from reverie.settings.groups import Appearance, Dream, Ingest, Model, Retention, Search, Settings, Working
from reverie.settings.live import LiveSettings
from reverie.settings.places import default_vault, vault_places

__all__ = [
    "Appearance",
    "Dream",
    "Ingest",
    "LiveSettings",
    "Model",
    "Retention",
    "Search",
    "Secret",
    "SettingInfo",
    "Settings",
    "Working",
    "change",
    "default_vault",
    "describe",
    "load",
    "reset",
    "vault_places",
]
