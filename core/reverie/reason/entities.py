"""Names, dates, amounts, addresses and code identifiers in a text, by how they are written."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from reverie.domain.text import collapse, fold, sentences
from reverie.reason.stopwords import blanked, is_stopword, spaced, without_columns

MOST = 24  # entities of one text
_LOOKED_AT = 20_000  # characters
_LONGEST = 60

_MONTH = (
    r"(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|"
    r"sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\b\.?"
)
_NUMBER = r"\d{1,3}(?:[.,'\u202f]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?"
_UNIT = (
    r"€|\$|£|¥|%|eur|usd|gbp|chf|euros?|dollars?|pounds?|cents?|francs?|percent|per cent|"
    r"kg|kilos?|kilograms?|grams?|tons?|km|kilomet(?:re|er)s?|met(?:re|er)s?|cm|mm|lit(?:re|er)s?|"
    r"kw|kwh|watts?|kilowatts?|volts?|degrees|°c|°f|kb|mb|gb|tb|megabytes?|gigabytes?|hours?|minutes?|seconds?|"
    r"days?|weeks?|months?|years?"
)
_PATTERNS: tuple[re.Pattern[str], ...] = (
    re.compile(r"\b(?:https?://|www\.)[^\s<>\"'`)\]}]{3,300}", re.IGNORECASE),
    re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"),
    re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?(?!\d)"),
    re.compile(rf"\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:of\s)?{_MONTH}(?:\s\d{{4}})?", re.IGNORECASE),
    re.compile(
        rf"\b(?!(?-i:may|mar)\b){_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?!\d)(?:,?\s\d{{4}})?", re.IGNORECASE
    ),
    re.compile(rf"\b(?!(?-i:may|mar)\b){_MONTH}\s\d{{4}}\b", re.IGNORECASE),
    re.compile(r"(?<![\d./])\d{1,2}[./]\d{1,2}[./]\d{2,4}(?![\d./])"),
    re.compile(rf"[€$£¥]\s?(?:{_NUMBER})"),
    re.compile(rf"(?<![\w.,])(?:{_NUMBER})\s?(?:{_UNIT})(?!\w)", re.IGNORECASE),
    re.compile(r"`([^`\s][^`\n]{0,58})`"),
    re.compile(r"\bv?\d+\.\d+\.\d+(?:[-+.]\w+)*\b|\bv\d+(?:\.\d+)*\b"),
    re.compile(r"\b[^\W\d_]\w*(?:\.[^\W\d_]\w*)*\(\)"),
    re.compile(
        r"\b[\w-]{1,40}\.(?:py|js|ts|md|txt|json|csv|pdf|ya?ml|toml|sql|sh|html|c|h|rs|go|java|docx?|xlsx?)\b"
    ),
    re.compile(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\b[A-Z0-9]+(?:_[A-Z0-9]+)+\b"),
    re.compile(r"\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b(?:[A-Z][a-z0-9]+){2,}\b"),
    re.compile(r"\b[A-Z]{1,10}-\d[\w-]{0,20}\b"),
)


def entities(text: str, known: Set[str] = frozenset()) -> tuple[str, ...]:
    """What the text names, in the order in which it comes, each once, at most MOST.

    Looks at the first 20,000 characters. Names are words with a capital that do not owe it to the start
    of a sentence, or are ``known`` to be names (proven_names() of other texts of the same source).
    """
    text = without_columns(text[:_LOOKED_AT])
    found: list[tuple[int, str]] = []
    masked = text
    for pattern in _PATTERNS:
        for match in pattern.finditer(masked):
            found.append((match.start(), match[match.lastindex or 0].strip(".,;:!?")))
        masked = pattern.sub(blanked, masked)
    names = _names(masked, known)
    parts = _parts(fold(name) for _, name in names if " " in name)
    found += [(at, name) for at, name in names if " " in name or fold(name) not in parts]
    return _unique(name for _, name in sorted(found, key=lambda item: item[0]))


def _parts(names: Iterable[str]) -> set[str]:
    """The words of the names, and of words with a hyphen or apostrophe the pieces as well."""
    words = {word for name in names for word in _TOKEN.findall(name)}
    return words | {piece for word in words for piece in _INNER_MARK.split(word)}


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    kept: dict[str, str] = {}
    for name in names:
        if len(kept) == MOST:
            break
        name = collapse(name)
        if 1 < len(name) <= _LONGEST:
            kept.setdefault(fold(name), name)
    return tuple(kept.values())


# Names

_TOKEN = re.compile(r"[^\W\d_][\w]*(?:['’-][^\W\d_]\w*)*")
_INNER_MARK = re.compile(r"['’-]")
_TITLES = spaced("mr mrs ms dr prof saint st")
_JOINERS = frozenset({"of", "de", "van", "von", "der", "den", "la", "le", "del", "di", "da", "du", "&"})
_NO_NAMES = spaced(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december montag dienstag mittwoch donnerstag freitag samstag sonntag januar "
    "februar märz mai juni juli oktober dezember today tomorrow yesterday morning evening mum dad please thanks "
    "thank hello hi hey dear yes no ok okay good well now then here there i mondays tuesdays wednesdays thursdays fridays "
    "saturdays sundays"
)
_STARTS_ANEW = re.compile(r"[:;.!?…\"“„»(\[|>•*#-]\s*$")


@dataclass(slots=True)
class _Token:
    text: str
    start: int
    end: int
    initial: bool  # a capital here may be owed to the sentence
    label: bool  # followed by a colon


def proven_names(text: str) -> frozenset[str]:
    """Single words that this text proves to be names or parts of one."""
    runs, lower, proven = _found(without_columns(text[:_LOOKED_AT]))
    kept = [_trimmed(run, proven, lower) for run in runs]
    parts = {token.text for run in kept if len(run) > 1 for token in run if not is_stopword(token.text)}
    return frozenset((proven | parts) - lower)


def _names(text: str, known: Set[str]) -> list[tuple[int, str]]:
    """(place, name)."""
    runs, lower, proven = _found(text)
    names = []
    for run in runs:
        kept = _trimmed(run, proven | known, lower)
        if kept:
            names.append((kept[0].start, _bare(text[kept[0].start : kept[-1].end])))
    return names


def _found(text: str) -> tuple[list[list[_Token]], set[str], set[str]]:
    """(runs of words with a capital, words without one, words whose capital proves a name)."""
    runs: list[list[_Token]] = []
    lower: set[str] = set()
    offset = 0
    for sentence in sentences(text):
        offset = text.index(sentence, offset)
        if not _shouts(sentence):
            tokens = list(_tokens(sentence, offset, heading=_is_heading(text, sentence, offset)))
            lower.update(token.text for token in tokens if token.text[0].islower())
            runs += _runs(tokens, text)
        offset += len(sentence)
    proven = {token.text for run in runs for token in run if not token.initial}
    labels = Counter(run[0].text for run in runs if len(run) == 1 and run[0].label)
    proven |= {label for label, count in labels.items() if count > 1}
    return runs, lower, proven


def _is_heading(text: str, sentence: str, offset: int) -> bool:
    """Whether it is the first line and stands alone: all its words may have capitals."""
    return offset == 0 and sentence[-1].isalnum() and text[len(sentence) : len(sentence) + 2] == "\n\n"


def _tokens(sentence: str, offset: int, *, heading: bool) -> Iterator[_Token]:
    first = True
    for match in _TOKEN.finditer(sentence):
        before = sentence[max(0, match.start() - 3) : match.start()]
        initial = first or heading or _STARTS_ANEW.search(before) is not None
        label = sentence[match.end() : match.end() + 1] == ":"
        yield _Token(match[0], match.start() + offset, match.end() + offset, initial, label)
        first = False


def _shouts(sentence: str) -> bool:
    letters = [char for char in sentence if char.isalpha()]
    return len(letters) > 6 and sum(map(str.isupper, letters)) > 0.6 * len(letters)


def _runs(tokens: list[_Token], text: str) -> list[list[_Token]]:
    """Words with a capital that stand side by side, with "of", "&" and the like between them."""
    runs: list[list[_Token]] = []
    current: list[_Token] = []
    for token in tokens:
        capital = token.text[0].isupper() and fold(token.text) not in _NO_NAMES
        if capital and current and _side_by_side(current[-1], token, text):
            current.append(token)
        elif capital:
            current = [token]
            runs.append(current)
        elif token.text not in _JOINERS:
            current = []
    return runs


def _side_by_side(one: _Token, other: _Token, text: str) -> bool:
    gap = text[one.end : other.start]
    if gap in (" ", "\n"):
        return not one.label
    if gap == ". ":
        return fold(one.text) in _TITLES or len(one.text) == 1
    words = gap.split()
    return 0 < len(words) <= 2 and all(word in _JOINERS for word in words) and "\n\n" not in gap


def _trimmed(run: list[_Token], proven: set[str], lower: set[str]) -> list[_Token]:
    """The run without what is no part of a name at its start; [] where nothing speaks for a name."""
    while run and run[0].initial and (_is_ordinary(run[0], lower) or _commands(run)):
        run = run[1:]
    while run and fold(run[0].text) not in _TITLES and is_stopword(run[0].text):
        run = run[1:]
    if len(run) == 1 and (fold(run[0].text) in _TITLES or len(run[0].text) == 1):
        return []
    if len(run) == 1 and run[0].initial and run[0].text not in proven:
        return []
    if len(run) == 1 and run[0].label and run[0].text not in proven:
        return []
    return run


def _commands(run: list[_Token]) -> bool:
    """ "Press COOL": a word before one that is all in capitals is most likely a verb."""
    return len(run) > 1 and run[1].text.isupper() and len(run[1].text) > 2 and not run[0].text.isupper()


def _is_ordinary(token: _Token, lower: set[str]) -> bool:
    return token.text.lower() in lower or (is_stopword(token.text) and fold(token.text) not in _TITLES)


def _bare(name: str) -> str:
    return re.sub(r"['’]s$", "", collapse(name))
