"""Reverie keeps what AI agents remember: ``from reverie import Vault``."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.vault import Vault

__version__ = "0.1.0"
__all__ = ["Vault", "__version__"]


def __getattr__(name: str) -> Any:
    # Loaded on first use: `import reverie.domain` must not pull in the database.
    if name == "Vault":
        from reverie.vault import Vault

        return Vault
    raise AttributeError(name)
