"""Mail (.eml): the headers that a person reads, the text, and what is attached, read by its own kind."""

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from pathlib import Path

from reverie.domain.text import clean, collapse, has_words, listed
from reverie.domain.title import HEADING_PATH
from reverie.errors import UserError
from reverie.i18n import _
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part, TooLarge, Unreadable
from reverie.ingest.extractors.files import decode, join_notes, opened, require_size
from reverie.ingest.extractors.html import decode_html, from_html

_SHOWN = {
    "From": _("From {value}"),  # no colon: what stands before one is taken for the name of a field
    "To": _("To {value}"),
    "Cc": _("Copy to {value}"),
    "Date": _("Sent {value}"),
}
_LONGEST_SUBJECT = 300
_LONGEST_HEADER = 1000
_MOST_ATTACHMENTS = 200
_DEEPEST = 5  # mails attached to mails
_NAMED = 10


def extract(path: Path, limits: Limits) -> Extracted:
    """A mail's text under its subject, then each attachment under subject and name. Raises Unreadable,
    TooLarge and NoText. metadata: subject, from, to, date, attachments."""
    with opened(path) as (file, size):
        require_size(size, limits.file_bytes, limits)
        data = file.read()
    message = message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage)
    about = {key.lower(): value for key in ("Subject", *_SHOWN) if (value := _header(message, key))}
    if not about:
        raise Unreadable(_("This is no mail"), hint=_("Save it from the mail program once more"))
    reading = _Reading(limits)
    parts = reading.parts_of(message, (), 0)
    if not any(has_words(part.text) for part in parts):
        raise NoText(_("The mail holds no words"))
    return Extracted(tuple(parts), {**about, "attachments": reading.names}, reading.note())


class _Reading:
    """One mail with all that is in it. ``names``: of the attachments, in their order."""

    def __init__(self, limits: Limits) -> None:
        self.names: list[str] = []
        self._limits = limits
        self._unread: list[str] = []
        self._size = 0
        self._cut = False

    def note(self) -> str:
        unread = _("Not read: {names}").format(names=listed(self._unread, _NAMED)) if self._unread else ""
        return join_notes(unread, _("Only its first part was read") if self._cut else "")

    def parts_of(self, message: EmailMessage, above: tuple[str, ...], depth: int) -> list[Part]:
        subject = _header(message, "Subject")[:_LONGEST_SUBJECT] or _("Mail without a subject")
        path = (*above, subject)
        head = "\n".join(
            f"- {form.format(value=value)}"
            for key, form in _SHOWN.items()
            if (value := _header(message, key))
        )
        body = self._body(message)
        first = body[0].text if body and not body[0].place.heading else ""
        text = "\n\n".join(filter(None, (head, first)))
        found = self._placed([Part(text), *body[1 if first else 0 :]], path)
        for name, part in _attachments(message):
            if len(self.names) < _MOST_ATTACHMENTS and not self._cut:
                self.names.append(name)
                found += self._attached(name, part, path, depth)
        return found

    def _placed(self, parts: list[Part], path: tuple[str, ...]) -> list[Part]:
        """Below the path, as long as the limit on text allows."""
        kept = []
        for part in parts:
            if self._size + len(part.text) > self._limits.text_bytes and not self._limits.anyway:
                require_size(self._size + len(part.text), self._limits.text_bytes, self._limits)
                self._cut = True
                break
            self._size += len(part.text)
            heading = HEADING_PATH.join(filter(None, (*path, part.place.heading)))
            kept.append(replace(part, place=replace(part.place, heading=heading)))
        return kept

    def _body(self, message: EmailMessage) -> list[Part]:
        """The text as it was sent; where there is only HTML, that. What can't be decoded is shown as it is."""
        try:
            body = message.get_body(("plain", "html"))
        except (KeyError, AttributeError, TypeError, ValueError):
            return []
        if body is None and not message.is_multipart() and message.get_content_maintype() == "text":
            body = message  # all of it claims to be an attachment
        data = _payload(body) if body is not None else b""
        if body is None or not data.strip():
            return []
        if body.get_content_subtype() == "html":
            try:
                return list(from_html(_as_text(body, data)).parts)
            except NoText:
                return []
        return [Part(_as_text(body, data).strip())]

    def _attached(self, name: str, part: EmailMessage, path: tuple[str, ...], depth: int) -> list[Part]:
        if part.get_content_type() == "message/rfc822":
            inner = part.get_payload()
            mail = inner[0] if isinstance(inner, list) and inner else None
            if isinstance(mail, EmailMessage) and depth < _DEEPEST:
                return self.parts_of(mail, path, depth + 1)
            self._unread.append(name)
            return []
        try:
            return self._placed(self._read(name, _payload(part), depth), (*path, name))
        except TooLarge:
            raise
        except UserError:
            self._unread.append(name)
            return []

    def _read(self, name: str, data: bytes, depth: int) -> list[Part]:
        """By the kind that the attachment has; a mail that comes as a file counts as one more level."""
        from reverie.ingest import extractors  # it names this module

        if depth >= _DEEPEST:
            raise Unreadable(_("Too many mails inside each other"))
        with tempfile.TemporaryDirectory(prefix="reverie-") as folder:
            path = Path(folder) / f"attachment{Path(name).suffix[:20]}"
            path.write_bytes(data)
            if extractors.kind_of(path) == EXTRACTOR.kind:
                message = message_from_bytes(data, policy=policy.default)
                return self._inner(message, depth) if isinstance(message, EmailMessage) else []
            # What is too large in an attachment is so for the mail: one answer holds for all of it.
            return list(extractors.extract(path, self._limits).parts)

    def _inner(self, message: EmailMessage, depth: int) -> list[Part]:
        parts = self.parts_of(message, (), depth + 1)
        self._size -= sum(len(part.text) for part in parts)  # they are counted once, where they are placed
        return parts


def _attachments(message: EmailMessage) -> Iterator[tuple[str, EmailMessage]]:
    """(name, part) of what is attached; pictures that only adorn an HTML text are not."""
    if not message.is_multipart() and message.get_content_maintype() != "text":
        yield from _named([message])  # a scanner's mail: nothing but the file
        return
    try:
        found = list(message.iter_attachments())
    except (KeyError, AttributeError, TypeError, ValueError):
        return
    yield from _named(found)


def _named(parts: Iterable[object]) -> Iterator[tuple[str, EmailMessage]]:
    for number, part in enumerate(parts, 1):
        if isinstance(part, EmailMessage):
            try:
                name = part.get_filename() or ""
            except (KeyError, TypeError, ValueError):
                name = ""
            yield collapse(clean(name))[:200] or _("attachment {number}").format(number=number), part


def _header(message: EmailMessage, name: str) -> str:
    try:
        value = message[name]
    except (KeyError, AttributeError, TypeError, ValueError, IndexError):  # malformed beyond what email mends
        return ""
    return collapse(clean(str(value)))[:_LONGEST_HEADER] if value is not None else ""


def _payload(part: MIMEPart) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _as_text(part: MIMEPart, data: bytes) -> str:
    charset = str(part.get_content_charset() or "")
    html = b"<meta charset=" + charset.encode("ascii", "ignore") + b">" if charset else b""
    try:
        # The same few encodings are trusted as in a page, and the same mending of wrong ones.
        return clean(decode_html(html + data)[0].removeprefix(html.decode()))
    except Unreadable:
        return clean(decode(data.translate(None, bytes(range(9))))[0])


EXTRACTOR = Extractor(
    "mail",
    (".eml",),
    extract,
    magic=(
        b"Return-Path: ",
        b"Delivered-To: ",
        b"Received: from ",
        b"MIME-Version: 1.0\n",
        b"MIME-Version: 1.0\r",
    ),
    isolated=True,
)
