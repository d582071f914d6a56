"""The words of an index: found by stem, beginning and part, as a slow and obvious search would find them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.search.documents import DATE
from reverie.search.languages import ENGLISH, language_of, stem
from reverie.search.lexicon import Lexicon
from reverie.search.terms import terms

VERBS = [
    "hike",
    "make",
    "use",
    "live",
    "ride",
    "write",
    "date",
    "take",
    "come",
    "give",
    "move",
    "close",
    "bake",
    "die",
    "run",
    "plan",
    "stop",
    "age",
    "tie",
]
WORDS = sorted(
    {
        *(form for verb in VERBS for form in (verb, verb + "s", verb.removesuffix("e") + "ing", verb + "d")),
        *[
            "running",
            "planned",
            "planning",
            "stopped",
            "stopping",
            "dying",
            "possible",
            "possibility",
            "available",
            "availability",
            "probable",
        ],
        *[
            "probability",
            "happy",
            "happily",
            "happiness",
            "sky",
            "skies",
            "body",
            "bodies",
            "study",
            "studies",
            "studied",
            "country",
            "countries",
        ],
        *[
            "general",
            "generally",
            "generation",
            "university",
            "universal",
            "news",
            "new",
            "organise",
            "organisation",
            "nation",
            "national",
        ],
    }
)
word = st.one_of(st.sampled_from(WORDS), st.text(alphabet="abeinsy雨é", min_size=1, max_size=6))
words = st.lists(word, max_size=40)


def forms(lexicon, numbers):
    return [lexicon.form(number) for number in numbers]


def lexicon_of(base, later, language=ENGLISH):
    lexicon = Lexicon(sorted(set(base)))
    lexicon.numbers(later, language)
    return lexicon


@given(words, words, word)
def test_a_family_is_every_form_with_the_same_stem(base, later, asked):
    lexicon = lexicon_of(base, later)
    found = forms(lexicon, lexicon.family(asked))
    known = {*base, *later}
    assert sorted(found) == sorted(form for form in known if stem(form) == stem(asked))
    assert found[:1] == ([asked] if asked in known else found[:1])


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("hike", "hiking"),
        ("using", "use"),
        ("happy", "happiness"),
        ("possible", "possibility"),
        ("sky", "skies"),
        ("die", "dying"),
        ("run", "running"),
        ("countries", "country"),
    ],
)
def test_an_english_word_finds_its_other_forms(asked, found):
    for lexicon in (lexicon_of([found], []), lexicon_of([], [found])):
        assert forms(lexicon, lexicon.family(asked)) == [found]


@given(words, words, st.text(alphabet="abeinsy雨", min_size=1, max_size=3))
def test_beginning_and_holding_are_what_they_say_shortest_first(base, later, part):
    lexicon = lexicon_of(base, later)
    known = {*base, *later}
    for found, slow in (
        (lexicon.beginning(part), {form for form in known if form.startswith(part)}),
        (lexicon.holding(part), {form for form in known if part in form}),
    ):
        shown = forms(lexicon, found)
        assert sorted(shown) == sorted(slow)
        assert [len(form) for form in shown] == sorted(len(form) for form in shown)


@given(words, words)
def test_each_form_has_one_number_whichever_way_it_came(base, later):
    lexicon = lexicon_of(base, later)
    assert lexicon.numbers(later) == [lexicon.number(form) for form in later]
    assert len(lexicon) == len({*base, *later})
    for form in {*base, *later}:
        assert lexicon.form(lexicon.number(form)) == form
    assert lexicon.number("none such") is None


def test_a_part_of_a_word_is_no_part_of_a_date():
    lexicon = lexicon_of([f"{DATE}november", f"{DATE}2026"], [f"{DATE}monday", "ember"])
    assert forms(lexicon, lexicon.holding("ember")) == ["ember"]
    assert lexicon.holding("onda") == lexicon.holding("202") == []


class TestLanguages:
    @pytest.mark.parametrize(
        ("text", "language"),
        [
            ("The meeting is on Monday and we will talk about the budget", "english"),
            ("Ich habe das Buch nicht gelesen und die Arbeit ist schwer", "german"),
            ("Je ne sais pas si les enfants sont dans la maison avec vous", "french"),
            ("No me gusta el pescado pero como mucho arroz con los niños", "spanish"),
            ("Det var en gang jeg ikke hadde tid til å lese den boka", "norwegian"),
            ("Я не знаю что это такое, но он сказал всё как было", "russian"),
            ("", "english"),
            ("Postgres 16.2", "english"),
            ("die", "english"),
        ],
    )
    def test_a_text_is_english_unless_it_shows_another(self, text, language):
        found = language_of(terms(text))
        assert found == language or {found, language} == {"danish", "norwegian"}

    def test_a_word_of_a_foreign_text_is_found_by_its_own_stem(self):
        lexicon = Lexicon()
        lexicon.numbers(["hauser", "hausern"], "german")
        assert set(forms(lexicon, lexicon.family("hauser"))) == {"hauser", "hausern"}
        lexicon = Lexicon()
        lexicon.numbers(["cheval", "chevaux"], "french")
        assert set(forms(lexicon, lexicon.family("cheval"))) == {"cheval", "chevaux"}

    @given(words, words, words, word)
    def test_a_foreign_stem_does_no_harm_to_words_of_other_texts(self, base, later, foreign, asked):
        alone = lexicon_of(base, later)
        mixed = lexicon_of(base, later)
        mixed.numbers(foreign, "french")
        found = set(forms(mixed, mixed.family(asked)))
        assert found >= set(forms(alone, alone.family(asked)))
        assert all(stem(form) == stem(asked) for form in found - set(foreign))
