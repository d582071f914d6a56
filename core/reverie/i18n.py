"""Translation of every text that a person can see (gettext, domain ``reverie``)."""

import gettext

from reverie.resources import resource

_catalogue = gettext.translation("reverie", localedir=str(resource("i18n")), fallback=True)


def _(text: str) -> str:
    """The text in the person's language, or as it stands where no catalogue has it."""
    return _catalogue.gettext(text)


def ngettext(singular: str, plural: str, count: int) -> str:
    """The form that fits ``count``; the caller formats the number in."""
    return _catalogue.ngettext(singular, plural, count)
