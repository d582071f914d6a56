"""Scratch entries of working memory, each under a path key and with a time to live."""

from dataclasses import dataclass
from datetime import datetime

from reverie.domain.text import clean, collapse
from reverie.errors import UserError
from reverie.i18n import _

LONGEST_TTL_MINUTES = 525_600  # a year: what is to stay longer is a memory

_LONGEST_KEY = 500  # characters


@dataclass(frozen=True, slots=True)
class WorkingEntry:
    """Not there any more from ``expires_at`` on. ``category`` is "" where none was given."""

    key: str
    value: str
    stored_at: datetime
    expires_at: datetime
    category: str = ""
    tags: tuple[str, ...] = ()

    @property
    def namespace(self) -> str:
        """What stands before the last "/" of the key; "" where there is none."""
        return namespace_of(self.key)

    @property
    def content(self) -> str:
        """The value, by the name that every record has that a search finds."""
        return self.value


def namespace_of(key: str) -> str:
    return key.rpartition("/")[0]


def clean_path(path: str) -> str:
    """A key or its beginning in the stored form: "/" between the segments, none at the ends, each segment on one line."""
    return "/".join(filter(None, map(collapse, clean(path).split("/"))))


def clean_key(key: str) -> str:
    """Raises UserError for an empty or overlong one."""
    text = clean_path(key)
    if not text:
        raise UserError(
            _("The key is empty"), hint=_("Use a path such as {example}").format(example="session/abc/draft")
        )
    if len(text) > _LONGEST_KEY:
        raise UserError(_("The key is longer than {count} characters").format(count=_LONGEST_KEY))
    return text
