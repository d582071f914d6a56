"""Which words of a query a text holds, and the sentence that shows it best."""

from collections.abc import Sequence

from reverie.domain.memory import Memory
from reverie.domain.text import fold, sentences, shorten, words

_ENDINGS = ("", "s", "es", "ed", "d", "ing", "er", "ly", "ion", "ions", "ies", "y", "e")
_PASSAGE = 240  # characters


def matches(part: str, memory: Memory) -> bool:
    """Whether a word (any of a phrase's words) stands somewhere in the memory, inflected or not."""
    texts = (
        memory.content,
        memory.key or "",
        memory.summary,
        memory.category,
        *memory.tags,
        *memory.entities,
    )
    found = {word for text in texts for word in words(text)}
    return any(_same(wanted, word) for wanted in words(part) for word in found)


def matched_words(parts: Sequence[str], memory: Memory) -> tuple[str, ...]:
    """The words of the content that the query asked for, as they stand there, each once."""
    wanted = [word for part in parts for word in words(part)]
    found = {word for word in words(memory.content) if any(_same(each, word) for each in wanted)}
    return tuple(sorted(found))


def passage(parts: Sequence[str], memory: Memory) -> str:
    """The sentence with most of the words asked for; the first one where none has any."""
    wanted = {word for part in parts for word in words(part)}
    best, most = "", 0
    for sentence in sentences(memory.content):
        held = {word for word in words(sentence) if any(_same(each, word) for each in wanted)}
        if len(held) > most:
            best, most = sentence, len(held)
    return shorten(best or memory.content, _PASSAGE)


def _same(wanted: str, word: str) -> bool:
    """The same word but for a common ending (the index stems; here it only matters what is shown)."""
    if wanted == word:
        return True
    shorter, longer = sorted((fold(wanted), fold(word)), key=len)
    stem = shorter.rstrip("ey") if len(shorter) > 4 else shorter
    return (
        len(stem) >= 3
        and longer.startswith(stem)
        and longer[len(stem) :] in _ENDINGS
        and shorter[len(stem) :] in _ENDINGS
    )
