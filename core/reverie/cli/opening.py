"""Which vault a verb works on, and opening it."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from reverie.settings.places import default_vault

if TYPE_CHECKING:
    from reverie.vault import Vault


def named_vault(vault: str | None) -> str:
    """The vault that a person means: the one named, or the default one."""
    return vault or str(default_vault())


@contextlib.contextmanager
def opened(vault: str | None) -> "Iterator[Vault]":
    from reverie.vault import Vault

    with Vault.open(named_vault(vault)) as found:
        yield found
