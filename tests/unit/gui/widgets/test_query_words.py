import pytest

from reverie_gui.widgets.query_words import plain_words, quoted, signs, term_at, terms, toggled, with_term


@pytest.mark.parametrize(
    ("query", "term", "minus", "expected"),
    [
        ("", "kind:fact", False, "kind:fact"),
        ("berlin", "kind:fact", False, "kind:fact berlin"),
        ("kind:fact berlin", "kind:fact", False, "berlin"),
        ("kind:fact berlin", "kind:fact", True, "-kind:fact berlin"),
        ("-kind:fact", "kind:fact", False, "kind:fact"),
        ("-kind:fact", "kind:fact", True, ""),
        ("kind:note berlin hotel", "tag:x", False, "kind:note tag:x berlin hotel"),
        ('tag:"two words" a', 'tag:"two words"', False, "a"),
    ],
)
def test_toggled(query: str, term: str, minus: bool, expected: str) -> None:
    assert toggled(query, term, minus=minus) == expected


def test_terms_know_their_place() -> None:
    text = 'tag:"two words" -kind:fact http://x.y word foo:bar'
    found = terms(text)
    assert [(each.key, each.value, each.minus, each.known) for each in found] == [
        ("tag", "two words", False, True),
        ("kind", "fact", True, True),
        ("foo", "bar", False, False),
    ]
    assert text[found[1].start : found[1].key_end] == "-kind:"


def test_the_term_under_the_cursor() -> None:
    assert term_at("kind:fa berlin", 7) is not None
    assert term_at("kind:fa berlin", 2) is None
    assert term_at("kind:fa berlin", 10) is None


def test_values_are_quoted_where_they_must() -> None:
    assert quoted("two words") == '"two words"'
    assert quoted("one") == "one"
    assert with_term("category:a -category:b x", "category:c") == "-category:b category:c x"


def test_signs_and_words() -> None:
    assert signs("kind:fact -tag:a x") == {"kind:fact": "+", "tag:a": "-"}
    assert plain_words('kind:fact berlin "window seat" -draft') == ("berlin", "window", "seat")
