"""Which words carry no meaning of their own, by language (the lists come with RAKEkeywords)."""

import re
from collections.abc import Sequence
from functools import cache

from reverie.domain.text import fold

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt")
_SAMPLE = 400  # words looked at to tell the language


def spaced(text: str) -> frozenset[str]:
    """The folded words of a list that is written with spaces."""
    return frozenset(map(fold, text.split()))


# The English list is one for web searches, and takes these for empty.
_CONTENT = spaced(
    "area areas bill cause changes computer copy course date detail effect face faces fact facts fire front group groups "
    "home homepage index information interest interests invention key keys man member members men message microsoft mine "
    "mug name net netscape novel number numbers order orders page pages problem problems research result results ring "
    "room rooms section site state states system test text thought thoughts value web webpage website work works world"
)


@cache
def stopwords(language: str = "en") -> frozenset[str]:
    """Folded. English where the language is not known."""
    from RAKEkeywords import stopwrds  # 0.1 s: read when first needed

    found = stopwrds.stopwords(language)
    if not found or language == "en":
        return frozenset(map(fold, stopwrds.stopwords("en"))) - _CONTENT
    return frozenset(map(fold, found))


def is_stopword(word: str, language: str = "en") -> bool:
    return fold(word) in stopwords(language)


@cache
def _telling(language: str) -> frozenset[str]:
    """Stop words of this language that are none in English, or all of English."""
    return stopwords(language) if language == "en" else stopwords(language) - stopwords("en")


def language_of(words: Sequence[str]) -> str:
    """The language of LANGUAGES with the most stop words of its own among the first words; else English.

    words: folded.
    """
    sample = words[:_SAMPLE]
    counts = {language: sum(word in _telling(language) for word in sample) for language in LANGUAGES}
    best = max(LANGUAGES, key=counts.__getitem__)
    # English words are short and shared; another language must be clearly ahead to be taken.
    return best if best == "en" or counts[best] > 0.6 * counts["en"] + 2 else "en"


_COLUMN = re.compile(r"(?<=; )[^:;\n]{1,40}(?=: )|(?<=\n- )[^:;\n]{1,40}(?=: )")
_FIRST_COLUMN = re.compile(
    r"^[^:;\n]{1,40}(?=: [^\n]*(?:; [^:;\n]{1,40}: |\n- [^:;\n]{1,40}: ))", re.MULTILINE
)
BLANK = "\N{BULLET}"  # a mark that no name or topic runs over


def without_columns(text: str) -> str:
    """A table's or record's text with the names of its columns blanked out, as long as before."""
    if _COLUMN.search(text) is None:
        return text
    return _COLUMN.sub(blanked, _FIRST_COLUMN.sub(blanked, text))


def blanked(match: re.Match[str]) -> str:
    """As many marks as the match is long, so that places stay."""
    return BLANK * len(match[0])
