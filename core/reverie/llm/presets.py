"""Where models are found: what is known of each kind of endpoint, as data. To add one, add its line."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from reverie.errors import UserError
from reverie.i18n import _

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class Preset:
    """``address``: the root of its API, "" where the person gives it. ``needs_key``: it refuses whoever has none.
    ``limit``: how its requests name the largest answer. ``headers``: sent with each request."""

    name: str
    title: str
    address: str
    needs_key: bool = False
    limit: str = "max_tokens"
    headers: tuple[tuple[str, str], ...] = ()
    key_header: str = ""


PRESETS: dict[str, Preset] = {
    each.name: each
    for each in (
        Preset("ollama", "Ollama", "http://127.0.0.1:11434/v1"),
        Preset("lm-studio", "LM Studio", "http://127.0.0.1:1234/v1"),
        Preset("llama-cpp", "llama.cpp", "http://127.0.0.1:8080/v1"),
        Preset("openai", "OpenAI", "https://api.openai.com/v1", True, limit="max_completion_tokens"),
        Preset(
            "anthropic",
            "Anthropic",
            "https://api.anthropic.com/v1",
            True,
            headers=(("anthropic-version", "2023-06-01"),),
            key_header="x-api-key",
        ),
        Preset("gemini", "Google Gemini", "https://generativelanguage.googleapis.com/v1beta/openai", True),
        Preset("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", True),
        Preset("own", _("Own address"), ""),
    )
}


def checked_address(address: str) -> str:
    """The root of an API as it is used: without a slash at its end, and with ``/v1`` where it had no path.

    Raises UserError where it is no http or https address, or holds a password.
    """
    text = address.strip()
    try:
        parts = urlsplit(text)
        host, _port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https") or parts.query or parts.fragment:
        raise UserError(
            _("“{address}” is not the address of an endpoint").format(address=text),
            hint=_("It looks like http://127.0.0.1:8080/v1"),
        )
    if parts.username is not None:
        raise UserError(
            _("The address of the endpoint holds a password"),
            hint=_("Leave it out, and give the key as the API key"),
        )
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path or '/v1'}"


def is_local(address: str) -> bool:
    """Whether what is sent there stays on this machine."""
    return urlsplit(address).hostname in LOOPBACK
