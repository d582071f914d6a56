"""Whole sentences that stand for a text: those nearest the centre of what it says."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from reverie.domain.text import collapse, sentences, shorten, word_count, words
from reverie.reason.importance import SMALL_TALK
from reverie.reason.stopwords import BLANK, without_columns

MOST_SENTENCES = 8  # of one text that are embedded: as much work as embedding 200 words once more
_LOOKED_AT = 200_000  # characters
_LONGEST = 420  # characters of a summary
_SHORT_FIRST = 160  # a first sentence under this takes a second one along
_TELLING = 10  # words of a sentence that needs no others around it
_ENDS = re.compile(r"[.!?…。！？][\"'”’»)\]*_]*$")
_LIST_MARK = re.compile(r"^(?:[-*+•>]\s+|#{1,6}\s+|\d{1,3}[.)]\s+|\[[ xX]\]\s+)+")
_FIELD = re.compile(rf"^{BLANK}+:\s*")  # "notes: " of a record
_CODE = re.compile(r"^(?:```|~~~|\||\$ |# )|[{};=]{2,}|[A-Za-z0-9+/=]{60,}")


def candidates(text: str) -> list[str]:
    """Sentences that may stand for the text, each on one line: whole ones where there are any."""
    text = _without_code(_without_heading(text[:_LOOKED_AT]))
    masked = [_FIELD.sub("", bare(sentence)) for sentence in sentences(without_columns(text))]
    whole = [sentence for sentence in masked if is_whole(sentence)]
    found = whole or [line for line in map(bare, sentences(text)) if line and not _CODE.search(line)]
    lines = whole or [line for line in found if word_count(line) >= 2] or found
    lines = [line for line in lines if not SMALL_TALK.fullmatch(line)] or lines
    return _sampled([line for line in lines if len(line) <= _LONGEST] or lines)


def is_whole(sentence: str) -> bool:
    """Whether it ends like a sentence, has words enough for one, and is neither code nor a table's row."""
    return (
        _ENDS.search(sentence) is not None
        and word_count(sentence) >= 4
        and BLANK not in sentence
        and not _CODE.search(sentence)
    )


def are_whole(found: Sequence[str]) -> bool:
    """Whether the candidates are sentences, and not the rows of a table or record."""
    return bool(found) and is_whole(found[0])


def bare(sentence: str) -> str:
    """On one line, without the mark of a list or heading."""
    return _LIST_MARK.sub("", collapse(sentence))


def _without_heading(text: str) -> str:
    """Without a first line that stands alone and is no sentence."""
    first, _, rest = text.partition("\n\n")
    is_line = "\n" not in first and not _ENDS.search(first) and without_columns(first) == first
    return rest if is_line and rest.strip() else text


def _without_code(text: str) -> str:
    kept: list[str] = []
    inside = False
    for line in text.split("\n"):
        fence = line.lstrip().startswith(("```", "~~~"))
        if not inside and not fence:
            kept.append(line)
        elif fence and not inside:
            kept.append("")
        inside = inside != fence
    code = inside or not any(line.strip() for line in kept)  # a fence that is never closed hides nothing
    return text if code else "\n".join(kept)


def _sampled(lines: Sequence[str]) -> list[str]:
    """Evenly: a part of the text that is left out whole could not be stood for."""
    step = max(1.0, len(lines) / MOST_SENTENCES)
    return [lines[int(index * step)] for index in range(min(len(lines), MOST_SENTENCES))]


def choose(found: Sequence[str], vectors: np.ndarray) -> str:
    """One or two of the sentences, in the order of the text.

    vectors: (n, dimensions), unit rows, one for each sentence. The second one is near the centre too, and says
    something else.
    """
    if not found:
        return ""
    centre = vectors.mean(axis=0)
    near = vectors @ centre / (float(np.linalg.norm(centre)) or 1.0)
    # A few words are near any centre, and tell little.
    near = near * np.array([0.6 + 0.4 * min(1.0, word_count(sentence) / _TELLING) for sentence in found])
    first = int(np.argmax(near))
    chosen = [first]
    if len(found) > 2 and len(found[first]) < _SHORT_FIRST and _ENDS.search(found[first]):
        second = int(
            np.argmax(np.where(np.arange(len(found)) == first, -9.0, near - 0.5 * (vectors @ vectors[first])))
        )
        if len(found[first]) + len(found[second]) < _LONGEST and _ENDS.search(found[second]):
            chosen.append(second)
    return shorten(joined([found[index] for index in sorted(chosen)]), _LONGEST)


def joined(quotes: Sequence[str]) -> str:
    """In one line; what has no full stop is set apart by a semicolon."""
    ended = [quote if _ENDS.search(quote) else f"{quote};" for quote in quotes[:-1]]
    return " ".join([*ended, *quotes[-1:]])


def word_vectors(texts: Sequence[str]) -> np.ndarray:
    """Unit rows of weighted word counts: what stands in for embeddings where there is no embedder.

    Words in nearly every text count little, as do those in one only.
    """
    counts = [Counter(words(text)) for text in texts]
    spread = Counter(word for count in counts for word in count)
    places = {word: index for index, word in enumerate(sorted(spread))}
    vectors = np.zeros((len(texts), max(1, len(places))), dtype=np.float32)
    for row, count in enumerate(counts):
        for word, times in count.items():
            if len(word) > 2 or not word.isascii():
                rarity = np.log(1 + len(texts) / spread[word])
                vectors[row, places[word]] = min(times, 3) * rarity
    return unit(vectors)


def unit(vectors: np.ndarray) -> np.ndarray:
    """Rows of length 1; rows of zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    divided: np.ndarray = vectors / np.where(lengths == 0, 1, lengths)
    return divided
