"""Where things lie on this machine when nobody says otherwise."""

import os
from collections.abc import Mapping
from pathlib import Path


def default_vault(env: Mapping[str, str] | None = None) -> Path:
    """The folder of the vault that is opened when none is named: ``REVERIE_VAULT``, else ``vault``
    in the user's data folder (on Linux ~/.local/share/Reverie/vault)."""
    named = (os.environ if env is None else env).get("REVERIE_VAULT", "").strip()
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("Reverie", appauthor=False) / "vault"
