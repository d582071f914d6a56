"""Numbers, times and names in words, as the whole window says them."""

from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QCoreApplication, QLocale

from reverie.i18n import ngettext

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def _tr(text: str) -> str:
    return QCoreApplication.translate("wording", text)


def capital(words: str) -> str:
    """Words as a sentence begins."""
    return words[:1].upper() + words[1:]


def number(value: int) -> str:
    """A count with its thousands apart: "1,284"."""
    locale = QLocale()
    return f"{value:,}" if locale.language() == QLocale.Language.C else locale.toString(value)


def memories(count: int) -> str:
    """ "1 memory", "1,284 memories"."""
    return ngettext("{n} memory", "{n} memories", count).format(n=number(count))


def age(at: datetime, now: datetime | None = None) -> str:
    """Short, for a column: "now", "5m", "2h", "3d", then "12 Nov", then "12 Nov 24"."""
    now = now or datetime.now(UTC)
    seconds = (now - at).total_seconds()
    if seconds < _MINUTE:
        return _tr("now") if seconds > -_MINUTE else _date(at, now)
    if seconds < _HOUR:
        return _tr("{n}m").format(n=int(seconds // _MINUTE))
    if seconds < _DAY:
        return _tr("{n}h").format(n=int(seconds // _HOUR))
    if seconds < 7 * _DAY:
        return _tr("{n}d").format(n=int(seconds // _DAY))
    return _date(at, now)


def ago(at: datetime, now: datetime | None = None) -> str:
    """Long, for sentences: "2 hours ago", "on 12 Nov 2024"."""
    now = now or datetime.now(UTC)
    seconds = (now - at).total_seconds()
    if -_MINUTE < seconds < _MINUTE:
        return _tr("just now")
    if seconds < 0:
        return _tr("on {date}").format(date=long_date(at))
    for unit, one, many in (
        (_HOUR, "{n} minute ago", "{n} minutes ago"),
        (_DAY, "{n} hour ago", "{n} hours ago"),
        (7 * _DAY, "{n} day ago", "{n} days ago"),
    ):
        if seconds < unit:
            size = {_HOUR: _MINUTE, _DAY: _HOUR}.get(unit, _DAY)
            n = int(seconds // size)
            return ngettext(one, many, n).format(n=n)
    return _tr("on {date}").format(date=long_date(at))


def exact(at: datetime) -> str:
    """The instant in local time: "12 Nov 2024, 14:02:31"."""
    local = at.astimezone()
    return f"{long_date(at)}, {local:%H:%M:%S}"


def clock(at: datetime) -> str:
    return f"{at.astimezone():%H:%M}"


def long_date(at: datetime) -> str:
    local = at.astimezone()
    return f"{local.day} {month(local.month)} {local.year}"


def day(at: datetime, now: datetime | None = None) -> str:
    """A heading for a day: "Today", "Yesterday", "Thursday 12 November"."""
    local = at.astimezone().date()
    today = (now or datetime.now(UTC)).astimezone().date()
    if local == today:
        return _tr("Today")
    if local == today - timedelta(days=1):
        return _tr("Yesterday")
    locale = QLocale()
    name = locale.dayName(local.isoweekday())
    full = f"{name} {local.day} {locale.monthName(local.month)}"
    return full if local.year == today.year else f"{full} {local.year}"


def month(value: int, *, short: bool = True) -> str:
    form = QLocale.FormatType.ShortFormat if short else QLocale.FormatType.LongFormat
    return QLocale().monthName(value, form).rstrip(".")


def until(at: datetime, now: datetime | None = None) -> str:
    """How long is left: "in 4 d", "in 3 h", "in 12 min", "expired"."""
    seconds = (at - (now or datetime.now(UTC))).total_seconds()
    if seconds <= 0:
        return _tr("expired")
    if seconds < _HOUR:
        return _tr("in {n} min").format(n=max(1, int(seconds // _MINUTE)))
    if seconds < _DAY:
        return _tr("in {n} h").format(n=int(seconds // _HOUR))
    return _tr("in {n} d").format(n=int(seconds // _DAY))


def size(count: int) -> str:
    """Bytes in words: "812 B", "4.2 KB", "31 MB"."""
    value = float(count)
    for unit in ("B", "KB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" or value >= 10 else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"


def kind_word(kind: str) -> str:
    """A kind as a word for people: "Anti-pattern"."""
    words = {
        "fact": _tr("Fact"),
        "preference": _tr("Preference"),
        "note": _tr("Note"),
        "timeline": _tr("Timeline"),
        "anti-pattern": _tr("Anti-pattern"),
        "insight": _tr("Insight"),
    }
    return words.get(kind, kind.capitalize())


def author_word(author: str) -> str:
    """Who did it: "You", "Agent claude", "Dream 3f2a", "Inbox", "Import", "Retention setting"."""
    who, _, name = author.partition(":")
    words = {
        "person": _tr("You"),
        "agent": _tr("Agent {name}"),
        "dream": _tr("Dream"),
        "ingest": _tr("Inbox"),
        "import": _tr("Import"),
        "retention": _tr("Retention setting"),
    }
    return words.get(who, author).format(name=name)


def _date(at: datetime, now: datetime) -> str:
    local = at.astimezone()
    short = f"{local.day} {month(local.month)}"
    return short if local.year == now.astimezone().year else f"{short} {local.year % 100:02d}"
