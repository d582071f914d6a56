"""What a text claims, as far as it can be told without a model: numbers, names, negation, and the order of its words.

Two texts may be merged only if the one that stays says everything that the other one says. A wrong merge
hides a fact from every agent, a missed one costs a line, so each rule here errs towards "not the same".
"""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

# Words that carry no claim of their own when they are there in one text and not in the other.
_EMPTY = frozenset(["a", "an", "the", "please", "also", "user", "user's", "users"])

# Words that turn or limit what is said. Both texts must hold the same ones, in the same order.
_TURNING_WORDS = """
    no not none nor neither never nothing nobody nowhere cannot without except unless but instead
    barely hardly rarely seldom scarcely only just almost nearly once twice again still yet already anymore longer
    may might could would should must can shall will wont maybe perhaps probably possibly likely unlikely
    is are am was were be been being has have had do does did used former formerly previously ex
    if when until before after since while every all any some most many few several both each either half
    always often sometimes usually mostly daily weekly monthly yearly today tomorrow yesterday
    stop stopped stops quit avoid avoids avoided refuse refuses refused fail fails failed deny denies denied
    false true wrong right left yes off on in out up down over under more less than old new first last next
    says said thinks thought claims claimed believes believed denies wants wanted wishes plans planned
    nicht kein keine keinen keiner keines keinem nie niemals ohne kaum selten nur fast ist war sind waren
    ne pas jamais sans aucun aucune rien personne seulement est était nunca jamás sin nada nadie solo es era
    non mai senza nessuno solo não nem sem nada niet geen nooit zonder alleen
    не нет ни никогда без только
"""
_TURNING = frozenset(_TURNING_WORDS.split())
_TURNING_SIGNS = frozenset("不没沒無无未非别別勿ない")

# Words that start sentences and would pass for names because they are written with a capital there.
_STARTING_WORDS = """
    this that these those there here it its he she they we you his her their our your my and for nor yet
    so then thus with from into about what who whom whose where when why how which
"""
_STARTERS = _EMPTY | frozenset(_STARTING_WORDS.split())

_TOKEN = re.compile(
    r"""
    (?P<box>\[[\ xX]\])
    | (?P<address>(?:https?://|www\.)[^\s<>"')\]]+ | [\w.+-]+@[\w-]+(?:\.[\w-]+)+)
    | (?P<number>(?:(?<![\w)])[-+−±~≈<>≤≥])?[$€£¥₹]?\s?(?:\w*\d\w*)(?:[.,:/'’_-]\w*\d\w*)*(?:\s?[%‰°€£¥₹$]\w?)?)
    | (?P<identifier>\w+(?:[_.]\w+)*_\w+ | [a-z]+[A-Z]\w*)
    | (?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)
    | (?P<sign>[^\w\s])
    """,
    re.VERBOSE,
)
_SENTENCE_END = frozenset('.!?:;…。！？\n•*#>|"“”«»„([-–—')
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Token:
    """``text`` is folded; ``raw`` stands as written. ``fixed`` tokens (numbers, signs, addresses, code)
    must be the same in both texts; ``name`` is a word with a capital that no sentence start explains."""

    text: str
    raw: str
    fixed: bool = False
    turning: bool = False
    capital: bool = False
    name: bool = False


@dataclass(frozen=True)
class Claims:
    """The tokens of one text, in order."""

    tokens: tuple[Token, ...]

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.tokens)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        return frozenset(self.words) - _EMPTY

    @cached_property
    def weight(self) -> int:
        """How much is said: words that are not empty."""
        return sum(1 for word in self.words if word not in _EMPTY)

    @property
    def signature(self) -> bytes:
        """Equal for all texts that can be near duplicates: their numbers, signs and turning words in order."""
        fixed = "\x1f".join(token.text for token in self.tokens if token.fixed or token.turning)
        return hashlib.blake2b(fixed.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def read_claims(text: str) -> Claims:
    """The claims of a text, in any language: ideographs count as one word each."""
    text = unicodedata.normalize("NFC", text)
    return Claims(tuple(_tokens(text)))


def _tokens(text: str) -> Iterable[Token]:
    for match in _TOKEN.finditer(text):
        raw = match.group().strip()
        kind = match.lastgroup
        if kind == "word":
            yield from _word_tokens(raw, text, match.start())
        elif kind == "sign":
            # Symbols and the question mark say something; other punctuation does not.
            if raw == "?" or raw == "？" or (unicodedata.category(raw)[0] == "S" and raw not in "|`^"):
                yield Token(raw, raw, fixed=True)
        else:
            yield Token(fold_token(raw), raw, fixed=True)


def _word_tokens(raw: str, text: str, start: int) -> Iterable[Token]:
    if _IDEOGRAPHS.search(raw):
        for sign in raw:
            yield Token(fold_token(sign), sign, turning=sign in _TURNING_SIGNS)
        return
    folded = fold_token(raw)
    capital = raw[0].isupper()
    turning = folded in _TURNING or folded.endswith("n't")
    acronym = len(raw) > 1 and raw.isupper()
    yield Token(
        folded,
        raw,
        turning=turning,
        capital=capital,
        name=capital and (acronym or not _starts_sentence(text, start)),
    )


def _starts_sentence(text: str, start: int) -> bool:
    """Whether the word at ``start`` has its capital from standing first."""
    before = text[max(0, start - 8) : start]
    kept = before.rstrip(" \t\r\u00a0'‘’_")
    return not kept or kept[-1] in _SENTENCE_END


def fold_token(text: str) -> str:
    """Case and width folded; diacritics stay (schon is not schön), blanks inside go."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("−", "-")
    return "".join(folded.split()).rstrip(".,:;/'_-")


def says_the_same(kept: Claims, dropped: Claims, overlap: float) -> bool:
    """Whether ``kept`` says all that ``dropped`` says, and nothing that contradicts it.

    Same numbers, signs and turning words in the same order; every other word of ``dropped`` stands in ``kept``
    in the same order; what ``kept`` says more holds no name; and the two share at least ``overlap`` (0..1) of
    their vocabulary (Jaccard).
    """
    if kept.signature != dropped.signature:
        return False
    if jaccard(kept, dropped) < overlap:
        return False
    missing = Counter(dropped.words) - Counter(kept.words)
    if any(word not in _EMPTY for word in missing):
        return False
    return _in_order(kept, dropped)


def jaccard(one: Claims, other: Claims) -> float:
    """Shared vocabulary, 0..1; two texts without any word count as 0."""
    union = len(one.vocabulary | other.vocabulary)
    return len(one.vocabulary & other.vocabulary) / union if union else 0.0


def _in_order(kept: Claims, dropped: Claims) -> bool:
    """Every word of ``dropped`` is met in ``kept``, in order, and nothing said more is a name."""
    theirs = [token.text for token in dropped.tokens if token.text not in _EMPTY]
    met = 0
    for token in kept.tokens:
        if token.text in _EMPTY:
            continue
        if met < len(theirs) and token.text == theirs[met]:
            met += 1
        elif token.capital:
            return False
    return met == len(theirs)


def specifics(text: str) -> tuple[str, ...]:
    """What a merge must not lose, as written, each once: capitalised words of 3 letters and more, acronyms,
    numbers and dates, addresses and code names (RockBot's merge coverage)."""
    return tuple({token.text: token.raw for token in reversed(_specific(text))}.values())[::-1]


def lost(sources: Iterable[str], merged: str) -> tuple[str, ...]:
    """The specifics of ``sources`` that ``merged`` does not hold, as written in the first source that has them.

    Compared as whole words with case folded: "Task 5" is not held by "Task 15".
    """
    held = {_base(token.text) for token in read_claims(merged).tokens}
    missing: dict[str, str] = {}
    for text in sources:
        for token in _specific(text):
            if (word := _base(token.text)) not in held:
                missing.setdefault(word, token.raw)
    return tuple(missing.values())


def _specific(text: str) -> list[Token]:
    return [token for token in read_claims(text).tokens if token.fixed or _is_named(token)]


def _is_named(token: Token) -> bool:
    long_enough = len(token.raw) >= 3 or (len(token.raw) > 1 and token.raw.isupper())
    return token.capital and long_enough and token.text not in _STARTERS


def _base(word: str) -> str:
    """Without the English possessive: "Ada's" is held by "Ada"."""
    return word.removesuffix("'s")
