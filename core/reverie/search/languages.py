"""Stems by the language of a text, and the function words that tell one language from another.

A text is English unless it holds more function words of another language. Words are stemmed by the language of
the texts that they stand in, so that English rules do no harm to others (Snowball, through PyStemmer).
"""

from collections.abc import Sequence
from functools import lru_cache

import Stemmer

ENGLISH = "english"

# The commonest words of each language that tell it apart; folded.
_TELLING = {
    "english": "the of and to is was that it for with you are have this not be they what when who how did i my",
    "german": "der die das und ist nicht ich ein eine zu mit den von wir sie auf dem fur im es auch sich wird hat",
    "french": "le les des et est une dans pour que qui pas je il nous vous sur avec au du plus sont ont c'est",
    "spanish": "el los las y es una en por que con para no se del su al como mas pero fue esta son",
    "italian": "il gli e di che un una per con non sono del della nel si le anche piu ha questo dei",
    "portuguese": "o os as e um uma em que nao com para por do da no na se mais foi ao dos sao",
    "dutch": "het een en van ik niet zijn dat op te met voor aan er ook maar bij wordt naar hebben deze",
    "swedish": "och att det som en ar jag inte av med pa for till den har om ett var vi",
    "danish": "og at det er en jeg ikke af med pa til den har som der et for de vi",
    "norwegian": "og at det er en jeg ikke av med pa til den har som for et vi de fra",
    "finnish": "ja on ei se etta han oli mutta niin kun myos ovat tai mina joka kuin",
    "russian": "и в не на что с по как это но от за из к у то все я он для",
    "hungarian": "a az es hogy nem is egy van meg de ez volt csak mint ki",
    "romanian": "si in de la cu pe este nu un o din care sa mai pentru",
    "turkish": "ve bir bu da de icin ile cok ama ne gibi daha olarak var",
}
_LANGUAGES = tuple(_TELLING)
_SPEAKS: dict[str, tuple[int, ...]] = {}
for _number, _language in enumerate(_LANGUAGES):
    for _each in _TELLING[_language].split():
        _SPEAKS[_each] = (*_SPEAKS.get(_each, ()), _number)

_LEAST = 2  # function words that another language must show

# Function words of English questions and statements: they stand everywhere and tell nothing.
_FUNCTION_WORDS = """
    a about above after again against all am an and any are as at be because been before being below
    between both but by can could d did do does doing down during each few for from further had has have
    having he her here hers him his how i if in into is it its itself just ll m me more most my no nor
    not of off on once only or other our out over own re s same she should so some such t than that the
    their them then there these they this those through to too under until up ve very was we were what
    when where which while who whom why will with would you your i'm i've i'd i'll it's don't didn't
    doesn't can't isn't what's who's where's when's how's that's there's let's you're they're we're
    won't wasn't
"""
STOPWORDS = frozenset(_FUNCTION_WORDS.split())


def language_of(terms: Sequence[str]) -> str:
    """English, or the language that has more function words in the text, and at least two."""
    counts = [0] * len(_LANGUAGES)
    speaks = _SPEAKS
    for term in terms:
        if term in speaks:
            for number in speaks[term]:
                counts[number] += 1
    best = max(range(len(counts)), key=counts.__getitem__)
    return _LANGUAGES[best] if counts[best] >= _LEAST and counts[best] > counts[0] else ENGLISH


@lru_cache(maxsize=16)
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(language, 0)


@lru_cache(maxsize=100_000)
def stem(word: str, language: str = ENGLISH) -> str:
    """The stem of a folded word; what is no word of letters alone stays as it is."""
    return _stemmer(language).stemWord(word) if word.isalpha() else word
