"""Plain text: cleaned, compared, counted, and cut at borders that a reader would choose.

Every function takes any ``str`` (lone surrogates, control characters, one line of ten million
characters) without raising, and runs in time linear in its length.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence

ELLIPSIS = "…"
_LONGEST_GRAPHEME = 64  # characters; Unicode's stream-safe form allows 30 marks on one base

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_UNSTORABLE = re.compile("[\ud800-\udfff\0]")
_MARKS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+")

# Scripts written without spaces between words: Han, kana, Thai, Lao, Khmer, Myanmar.
_DENSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
)
_DENSE_MARKS = "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd"
_WORD = re.compile(rf"[{_DENSE}][{_DENSE_MARKS}]*+|[^\W{_DENSE}]++(?:['’][^\W{_DENSE}]++)*+")
_HAS_WORD = re.compile(r"\w")


def clean(text: str) -> str:
    """The text as it is stored: NFC, LF line ends, what can't be stored replaced by U+FFFD.

    Halves of a surrogate pair that stand together are joined; lone ones and NUL are replaced.
    """
    if _UNSTORABLE.search(text):
        text = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
        text = _UNSTORABLE.sub("\ufffd", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", text)


def content_hash(text: str) -> str:
    """SHA-256 (hex) of the cleaned text with each run of whitespace as one space."""
    return hashlib.sha256(collapse(clean(text)).encode()).hexdigest()


def collapse(text: str) -> str:
    """The text on one line: each run of whitespace as one space, none at the ends."""
    return " ".join(text.split())


def fold(text: str) -> str:
    """For comparing: NFKC, casefolded, Latin, Greek and Cyrillic diacritics off. ß is ss, ﬁ is fi."""
    if text.isascii():
        return text.lower()
    while True:  # once for nearly every text; a few letters fold into ones that fold again
        folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
        folded = unicodedata.normalize("NFKC", _MARKS.sub("", folded))
        if folded == text:
            return folded
        text = folded


def words(text: str) -> list[str]:
    """Folded words. Each character of a script without spaces (Chinese, Japanese, Thai) is one."""
    return _WORD.findall(fold(text))


def word_count(text: str) -> int:
    """How many words() there are, without folding."""
    return sum(1 for _ in _WORD.finditer(text))


def has_words(text: str) -> bool:
    return _HAS_WORD.search(text) is not None


# Cutting


def grapheme_border(text: str, index: int) -> int:
    """The last place at or before ``index`` where a cut tears no letter from its marks.

    Emoji sequences, flags and Hangul syllables count as one letter. A heap of over 64 marks on one
    letter is cut all the same.
    """
    if index <= 0 or index >= len(text):
        return max(0, min(index, len(text)))
    for border in range(index, max(0, index - _LONGEST_GRAPHEME), -1):
        if not _joined(text, border):
            return border
    return 0 if index <= _LONGEST_GRAPHEME else index


def _joined(text: str, index: int) -> bool:
    before, after = text[index - 1], text[index]
    if after < "\u0300" and before < "\u0300":
        return before == "\r" and after == "\n"
    if before == "\u200d" or after in "\u200d\u200c" or _extends(after):
        return True
    return _is_flag_half(after) and _flag_halves_before(text, index) % 2 == 1


def _extends(char: str) -> bool:
    return (
        unicodedata.category(char) in ("Mn", "Me", "Mc")
        or "\U0001f3fb" <= char <= "\U0001f3ff"  # skin tones
        or "\u1160" <= char <= "\u11ff"  # Hangul vowels and finals
        or "\ud7b0" <= char <= "\ud7ff"
    )


def _is_flag_half(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flag_halves_before(text: str, index: int) -> int:
    count = 0
    while count < _LONGEST_GRAPHEME and count < index and _is_flag_half(text[index - 1 - count]):
        count += 1
    return count


def word_border(text: str, start: int, limit: int) -> int:
    """Where to cut ``text[start:]`` so that at most ``limit`` characters (at least 1) stand before it.

    At the last whitespace if there is any, else between letters. Always more than ``start``.
    """
    end = start + max(1, limit)
    if end >= len(text):
        return len(text)
    if not text[end].isspace():
        for place in range(end, start, -1):
            if text[place - 1].isspace():
                return place
    border = grapheme_border(text, end)
    return border if border > start else end


def shorten(text: str, limit: int) -> str:
    """On one line and at most ``limit`` characters long, "…" included, cut between words."""
    line = collapse(text[: 4 * max(0, limit) + 1000])
    if len(line) <= limit:
        return line
    if limit <= len(ELLIPSIS):
        return ELLIPSIS[: max(0, limit)]
    cut = word_border(line, 0, limit - len(ELLIPSIS))
    return line[: grapheme_border(line, cut)].rstrip(" ,;:–-") + ELLIPSIS


def listed(items: Sequence[object], most: int) -> str:
    """The first ``most`` of them, with commas between; ", …" tells that there are more."""
    shown = ", ".join(map(str, items[:most]))
    return f"{shown}, {ELLIPSIS}" if len(items) > most else shown


def first_sentence(text: str, limit: int) -> str:
    """The first sentence on one line, shortened to ``limit`` characters where it is longer."""
    for sentence in sentences(text[: 4 * max(0, limit) + 1000]):
        if has_words(sentence):
            return shorten(sentence, limit)
    return shorten(text, limit)


# Sentences

_BREAK = re.compile(
    r"""
    (?P<mark>[.!?…]++)(?P<closers>["'”’»)\]*_]*+)(?P<gap>\s*+)   # a full stop, maybe before whitespace
    | (?P<dense>[。！？｡]++[」』”’）】》]*+)\s*+                    # needs no whitespace after it
    | (?P<lines>\n\s*+)                                          # one or more line ends
    """,
    re.VERBOSE,
)
_LAST_TOKEN = re.compile(r"[^\s(\[\"'“‘„«]+$")
_TOKEN_REACH = 40  # characters looked at before a full stop
_LABEL_OR_BULLET = re.compile(r"[-*+•–—>|#]|\d{1,3}[.)]\s|[^\W\d_][\w .'’-]{0,38}:\s|```|~~~")
_GOES_ON = re.compile(r"[,;]$|\w-$")
_WRAPPED_LINE = 48  # characters; a shorter line before a capital was ended on purpose


def _set(spaced: str) -> frozenset[str]:
    return frozenset(spaced.split())


# Never the end of a sentence.
_TITLES = _set(
    "mr mrs ms dr prof st mt rev gen sen gov capt sgt col lt hon messrs mme mlle "
    "vs e.g i.e z.b u.a d.h v.a s.o bzw ca approx cf viz dept est resp incl excl al bsp vgl tel hr fr sog ggf"
)
# The end only where no number follows.
_NUMBERED = _set(
    "no nr fig figs vol p pp ch sec sect art para eq ex pos abs kap "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
# The end where a capital follows.
_WEAK = _set("inc ltd co corp etc jr sr a.m p.m bros usw plc")
_STARTERS = _set(
    "the they he she it we i you this that these those there in on at but and so however then when while "
    "after before if as for a an my our his her their its what who why how where yes no please"
)
_MONTHS = _set(
    "january february march april may june july august september october november december "
    "januar februar märz april mai juni juli oktober dezember"
)
_FIRST_WORD = re.compile(r"\W*+(\w+)")
_DOTTED = re.compile(r"(?:\w\.)+\w")


def sentences(text: str) -> list[str]:
    """The sentences as they stand in the text; joined, they lose nothing but whitespace.

    A line end closes one where it was meant to: before a bullet, a label ("Ada: ..."), a blank line,
    or after a short line. Abbreviations, decimals, versions and addresses close none.
    """
    return [text[start:end] for start, end in sentence_spans(text)]


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each sentence, without the whitespace around it."""
    start = 0
    for found in _BREAK.finditer(text):
        if found["lines"] is not None:
            ends = _line_closes(text, found)
        elif found["dense"] is not None:
            ends = True
        else:
            ends = bool(found["gap"]) and _mark_closes(text, start, found)
        if ends:
            yield from _trimmed(text, start, found.end())
            start = found.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    bare = piece.strip()
    if bare:
        start += len(piece) - len(piece.lstrip())
        yield start, start + len(bare)


def _line_closes(text: str, found: re.Match[str]) -> bool:
    if found["lines"].count("\n") > 1:
        return True
    after = text[found.end() : found.end() + 48]
    if not after or _LABEL_OR_BULLET.match(after):
        return True
    line_start = text.rfind("\n", max(0, found.start() - 1000), found.start()) + 1
    line = text[line_start : found.start()].strip()
    if line.startswith(("#", "|")):
        return True
    return len(line) < _WRAPPED_LINE and not _GOES_ON.search(line) and not after[0].islower()


def _mark_closes(text: str, start: int, found: re.Match[str]) -> bool:
    if found["gap"].count("\n") > 1 or found.end() >= len(text):
        return True
    after = text[found.end() : found.end() + 24]
    if "\n" in found["gap"] and _LABEL_OR_BULLET.match(after):
        return True
    if found["mark"] != ".":
        return not (after[0].islower() and (found["closers"] or found["mark"] in ("…", "...")))
    token = _LAST_TOKEN.search(text[max(start, found.start() - _TOKEN_REACH) : found.start()])
    return _full_stop_closes(token[0] if token else "", after, first=_is_first(text, start, found, token))


def _is_first(text: str, start: int, found: re.Match[str], token: re.Match[str] | None) -> bool:
    """Whether the token before the full stop is all there is of the sentence so far."""
    if token is None or found.start() - start > _TOKEN_REACH:
        return False
    return not text[start : found.start() - len(token[0])].strip("\"'“‘„«([ \n\t")


def _full_stop_closes(token: str, after: str, *, first: bool) -> bool:
    word = token.casefold()
    following = _FIRST_WORD.match(after)
    next_word = following[1] if following else ""
    if word in _TITLES:
        return False
    if token.isdigit() and len(token) <= 3:  # "1. Do this", "am 3. März", but "one of 12. Then"
        return not (first or next_word.casefold() in _MONTHS)
    if word in _NUMBERED and after[0].isdigit():
        return False
    if word in _WEAK:
        return not (after[0].islower() or after[0].isdigit())
    if _DOTTED.fullmatch(token) or (len(token) == 1 and token.isupper() and token != "I"):  # U.S.; J. Smith
        return next_word.casefold() in _STARTERS
    return not (after[0].islower() and len(token) < 4)
