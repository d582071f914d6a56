"""Keys of endpoints: kept in the system's keyring, or given by the environment. Never in a file of ours.

A key is kept under the host that it is for, so that another address never gets it. The keyring may ask the person
to unlock it: call these from a thread that may wait.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar
from urllib.parse import urlsplit

from reverie.errors import UserError
from reverie.i18n import _
from reverie.settings.declare import NO_SECRET, Secret

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")

SERVICE = "Reverie"
_NO_KEYRING = ("keyring.backends.fail", "keyring.backends.null", "keyrings.alt")


@dataclass(frozen=True, slots=True)
class Kept:
    """A key and where it came from: "environment", "keyring", or "" where there is none."""

    secret: Secret
    origin: Literal["environment", "keyring", ""] = ""


def find(address: str, given: Secret = NO_SECRET) -> Kept:
    """The key for an address. ``given``: what the settings read from the environment; it wins.

    Without a keyring, or with one that can't be read, there is none: `problem` says why.
    """
    if given:
        return Kept(given, "environment")
    try:
        text = _asked(lambda ring: ring.get_password(SERVICE, _name(address)))
    except UserError:
        return Kept(NO_SECRET)
    return Kept(Secret(text), "keyring") if text else Kept(NO_SECRET)


def keep(address: str, secret: Secret) -> None:
    """Writes the key for an address to the keyring, in place of the one that is there; an empty one is forgotten.

    Raises UserError where there is no keyring, or it refuses; the key is then kept nowhere.
    """
    if not secret:
        forget(address)
        return
    _asked(lambda ring: ring.set_password(SERVICE, _name(address), secret.reveal()))


def forget(address: str) -> None:
    """Takes the key for an address out of the keyring; one that is not there is no fault. Raises UserError."""

    def delete(ring: "KeyringBackend") -> None:
        if ring.get_password(SERVICE, _name(address)) is not None:
            ring.delete_password(SERVICE, _name(address))

    _asked(delete)


def problem() -> UserError | None:
    """Why keys can't be kept on this machine, in words; None where they can."""
    try:
        _keyring()
    except UserError as error:
        return error
    return None


def _name(address: str) -> str:
    """The host, with its port where that is not the usual one; unencrypted it is another, but for this machine."""
    parts = urlsplit(address)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    host = str(parts.hostname) if parts.port in (None, usual) else f"{parts.hostname}:{parts.port}"
    local = parts.hostname in ("127.0.0.1", "localhost", "::1")
    return host if parts.scheme == "https" or local else f"http://{host}"


def _asked(act: "Callable[[KeyringBackend], T]") -> T:
    ring = _keyring()
    try:
        return act(ring)
    except Exception as error:  # noqa: BLE001 - each backend raises what the library under it raises
        raise UserError(
            _("The keyring of the system refused"),
            # Its type alone: a message of a backend may quote what was to be kept.
            detail=type(error).__name__,
            hint=_("Unlock it and try again, or set the environment variable {name}").format(
                name="REVERIE_MODEL__API_KEY"
            ),
            retryable=True,
        ) from None


def _keyring() -> "KeyringBackend":
    """The system's keyring. Those that only write a file, and those that keep nothing, are passed over."""
    import keyring

    ring = keyring.get_keyring()
    rings: list[KeyringBackend] = list(getattr(ring, "backends", [])) or [ring]
    for each in rings:
        if not type(each).__module__.startswith(_NO_KEYRING):
            return each
    raise UserError(
        _("This system has no keyring where keys could be kept"),
        hint=_("Set the environment variable {name}, or install a keyring").format(
            name="REVERIE_MODEL__API_KEY"
        ),
    )
