"""From the settings to a client: which model is asked, where, and with which key."""

from typing import Literal

from reverie.errors import UserError
from reverie.i18n import _
from reverie.llm.client import Client, Endpoint
from reverie.llm.presets import PRESETS, checked_address
from reverie.settings import secrets
from reverie.settings.groups import Model

Purpose = Literal["chat", "dreams", "compression"]


def endpoint_of(settings: Model, purpose: Purpose = "chat") -> Endpoint | None:
    """The endpoint that was configured, None where none was. Reads the keyring where the environment gives no key.

    Raises UserError where the address is none.
    """
    if settings.endpoint == "none":
        return None
    preset = PRESETS[settings.endpoint]
    if not settings.address.strip() and not preset.address:
        raise UserError(
            _("The endpoint of the model has no address"),
            hint=_("Enter it in the settings, as http://127.0.0.1:8080/v1"),
        )
    address = checked_address(settings.address.strip() or preset.address)
    other = {"chat": "", "dreams": settings.dreams, "compression": settings.compression}[purpose]
    return Endpoint(
        preset,
        address,
        (other or settings.chat).strip(),
        secrets.find(address, settings.api_key).secret,
        settings.time_limit_s,
        settings.max_tokens,
    )


def connect(settings: Model, purpose: Purpose = "chat") -> Client | None:
    """A client of the endpoint that was configured, None where none was. Sends nothing. Raises as `endpoint_of`."""
    endpoint = endpoint_of(settings, purpose)
    return None if endpoint is None else Client(endpoint)
