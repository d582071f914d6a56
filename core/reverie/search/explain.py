"""Shows why a text was found: which words match and where, the sentence that matches best, what put it ahead."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from reverie.domain.text import ELLIPSIS, sentence_spans, shorten, word_border
from reverie.i18n import _
from reverie.search.terms import Term, places

_PASSAGE = 240  # characters
_LEAD = 40  # characters before the first word that was asked for
_LOOKED_AT = 20_000  # characters of a text
_PART_SHOWS = 0.02  # of the score


@dataclass(frozen=True, slots=True)
class Match:
    """words: as they stand in the text, each once. marks: their places."""

    words: tuple[str, ...]
    marks: tuple[tuple[int, int], ...]
    passage: str


def match(text: str, forms: Collection[str]) -> Match:
    """``forms``: every form of a word that was asked for."""
    text = text[:_LOOKED_AT]
    found = list(places(text, forms))
    marks = _joined([(term.start, term.end) for term in found])
    words = tuple(dict.fromkeys(text[start:end] for start, end in marks))
    return Match(words, marks, _passage(text, found))


def why(words: Sequence[str], labels: Sequence[str], cosine: float | None, parts: Mapping[str, float]) -> str:
    """In words, the strongest reasons first. labels: words that matched beside the text itself."""
    reasons = []
    if words:
        reasons.append(_("holds {words}").format(words=_quoted(words)))
    if labels:
        reasons.append(_("has {words} in its key, tags or source").format(words=_quoted(labels)))
    if cosine is not None and cosine > 0:
        reasons.append(_("close in meaning ({percent} %)").format(percent=round(100 * cosine)))
    named = {
        "literal": _("as it was typed"),
        "speaker": _("said by the one who is named"),
        "answers": _("answers a question"),
        "time": _("tells a time"),
        "dated": _("of the time that is named"),
    }
    reasons += [words for name, words in named.items() if parts.get(name, 0) > _PART_SHOWS]
    return "; ".join(reasons)


def ahead(parts: Mapping[str, float], after: Mapping[str, float]) -> str:
    """What put a hit before the next one most."""
    named = {
        "words": _("by its words"),
        "coverage": _("by holding more of what was asked"),
        "meaning": _("by meaning"),
        "neighbours": _("by what stands around it"),
        "literal": _("by the very words"),
        "speaker": _("by who said it"),
        "asks": _("by telling, not asking"),
        "answers": _("by answering a question"),
        "time": _("by telling a time"),
        "dated": _("by its date"),
        "length": _("by saying more"),
    }
    lead = {name: parts.get(name, 0) - after.get(name, 0) for name in named}
    best = max(lead, key=lambda name: lead[name])
    return _("before the next one {how}").format(how=named[best]) if lead[best] > _PART_SHOWS else ""


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)


def _joined(places: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Places that touch or overlap, as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def _passage(text: str, matches: Sequence[Term]) -> str:
    """The sentence with most of the words, from near the first of them; the first one where none has any."""
    best, most = (0, len(text)), 0
    for start, end in sentence_spans(text):
        held = len({term.text for term in matches if start <= term.start < end})
        if held > most:
            best, most = (start, end), held
    start, end = best
    first = min((term.start for term in matches if start <= term.start < end), default=start)
    if first - start <= _LEAD:
        return shorten(text[start:end], _PASSAGE)
    return ELLIPSIS + shorten(text[word_border(text, start, first - start - _LEAD // 2) : end], _PASSAGE)
