"""The search field's text in panes with few things."""

from reverie_gui.panes.narrowing import read_narrowing

KNOWN = {"is": ("failed", "waiting"), "kind": ("merge",)}


def test_values_of_one_key_add_up() -> None:
    found = read_narrowing("is:failed is:waiting", KNOWN)
    assert found.allows("is", "failed")
    assert found.allows("is", "waiting")
    assert not found.allows("is", "added")
    assert found.allows("kind", "merge")


def test_a_minus_leaves_out() -> None:
    found = read_narrowing("-is:failed", KNOWN)
    assert not found.allows("is", "failed")
    assert found.allows("is", "waiting")


def test_words_must_all_stand_there_in_any_case() -> None:
    found = read_narrowing("Minutes PDF", KNOWN)
    assert found.has_words("the minutes of march.pdf")
    assert not found.has_words("minutes.txt")


def test_what_means_nothing_is_named() -> None:
    found = read_narrowing('tag:x is:"no such" report', KNOWN)
    assert found.strange == ("tag:x", 'is:"no such"')
    assert found.words == ("report",)


def test_nothing_narrows_nothing() -> None:
    assert not read_narrowing("  ", KNOWN)
    assert read_narrowing("", KNOWN).has_words("anything")
