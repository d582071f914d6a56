"""How much a text matters, from how it is said. No model: a person can follow every point."""

import re
from dataclasses import dataclass

from reverie.domain.text import sentences, word_count

_BASE = 0.3
_LOOKED_AT = 20_000  # characters


@dataclass(frozen=True, slots=True)
class _Cue:
    """``weight`` is added in full for two signs, three fifths of it for one."""

    name: str
    weight: float
    signs: re.Pattern[str]


def _cue(name: str, weight: float, signs: str) -> _Cue:
    return _Cue(name, weight, re.compile(rf"\b(?:{signs})\b", re.IGNORECASE))


_CUES = (
    _cue(
        "decision",
        0.16,
        r"decided|decision|agreed|approved|signed|chose|we(?:'ll| will) (?:not|keep|stop|use|buy|move)|unanimous|"
        r"voted?|settled on|entschieden|beschlossen|vereinbart",
    ),
    _cue(
        "deadline",
        0.12,
        r"deadline|due|no later than|at the latest|expires?|(?:by|before|until|bis|vor) (?:the )?(?:\d|end of|monday|"
        r"tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|"
        r"september|october|november|december|zum)|within \w+ (?:hours|days|weeks)|frist|spätestens",
    ),
    _cue(
        "preference",
        0.14,
        r"prefers?|preferred|favou?rite|can't stand|(?:likes?|loves?|hates?|wants?|dislikes?) (?:to|it|the|no|not|her|his|my)|"
        r"allerg\w+|vegetarian|vegan|bevorzug\w+|mag (?:kein\w*|gern\w*|lieber)",
    ),
    _cue(
        "warning",
        0.14,
        r"never|must not|mustn't|do not|don't|cannot be|can't be|not allowed|forbidden|prohibited|warning|danger\w*|"
        r"careful|important|always|excluded|niemals|verboten|achtung|wichtig|immer",
    ),
    _cue(
        "commitment",
        0.12,
        r"i(?:'ll| will| must| have to| promised?| need to)|we(?:'ll| will| must| have to| promised?| need to)|"
        r"promised|remind me|don't forget|remember to|todo|to do:|ich (?:werde|muss|verspreche)|wir (?:werden|müssen)",
    ),
)
_AMOUNT = re.compile(
    r"[€$£]\s?\d|\b\d[\d.,]{0,30}\s?(?:€|eur|euros?|usd|dollars?|pounds?|gbp|chf|percent|%)", re.IGNORECASE
)
_NAME_OR_DATE = re.compile(r"(?<=[\w,;] )[^\W\d_a-z][^\W\d_]+|\b\d{4}-\d{2}-\d{2}\b")
SMALL_TALK = re.compile(
    r"\W*+(?:[\w .'-]{1,30}:\s)?\W*+(?:hi|hey|hello|good (?:morning|evening|night)|morning|thanks?(?: you)?|thx|ok(?:ay)?|"
    r"lol|haha\w*|bye|see you|cheers|sure|great|nice|cool|yes|no|yep|nope|hallo|danke|tschüss|lunch|noted)\b"
    r"[^.!?]{0,24}[.!?]*+\W*+",
    re.IGNORECASE,
)


def importance(text: str) -> float:
    """0..1, rounded to two places; 0.3 for a text with no cue.

    Up: decisions (0.16), preferences and warnings or negations (0.14 each), deadlines and commitments
    (0.12 each), amounts of money and shares (0.1), names and dates (0.06). One sign of a cue counts three
    fifths, two or more in full, so that long texts do not win by length. Down: small talk, by its share of
    the sentences (up to 0.25), and texts of under five words that have no cue (0.1).
    """
    text = text[:_LOOKED_AT]
    score = _BASE
    for cue in _CUES:
        score += cue.weight * _strength(cue.signs, text)
    score += 0.1 * _strength(_AMOUNT, text) + 0.06 * _strength(_NAME_OR_DATE, text)
    said = sentences(text)
    if said:
        score -= 0.25 * sum(SMALL_TALK.fullmatch(sentence) is not None for sentence in said) / len(said)
    if score <= _BASE and word_count(text) < 5:
        score -= 0.1
    return round(min(1.0, max(0.0, score)), 2)


def _strength(signs: re.Pattern[str], text: str) -> float:
    first = signs.search(text)
    if first is None:
        return 0.0
    return 1.0 if signs.search(text, first.end()) else 0.6
