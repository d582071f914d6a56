"""Where things lie on this machine when nobody says otherwise."""

import os
from collections.abc import Mapping
from pathlib import Path

FILE = "vault.db"
_FILE_SUFFIXES = {".db", ".sqlite", ".sqlite3", ".reverie"}


def default_vault(env: Mapping[str, str] | None = None) -> Path:
    """The folder of the vault that is opened when none is named: ``REVERIE_VAULT``, else ``vault``
    in the user's data folder (on Linux ~/.local/share/Reverie/vault)."""
    named = (os.environ if env is None else env).get("REVERIE_VAULT", "").strip()
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("Reverie", appauthor=False) / "vault"


def vault_places(path: str | Path | None = None) -> tuple[Path, Path]:
    """The folder and the database file of a vault, made or not; None is the default vault.

    A path that ends in .db, .sqlite, .sqlite3 or .reverie is the database itself, its folder stands beside it.
    """
    chosen = default_vault() if path is None else Path(path).expanduser()
    if chosen.suffix.lower() in _FILE_SUFFIXES and not chosen.is_dir():
        return chosen.with_name(f"{chosen.stem}-files"), chosen
    return chosen, chosen / FILE
