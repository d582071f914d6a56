"""What an agent has put down is found by its words, however few entries there are."""

import pytest

from reverie import Vault


@pytest.fixture(scope="module")
def working(tmp_path_factory):
    with Vault.open(tmp_path_factory.mktemp("working") / "vault") as vault:
        save = vault.working.save
        save(
            "patrol/heartbeat/alert",
            "The disk of the build server is nearly full.",
            category="patrol/finding",
        )
        save("session/a/emails_inbox", "Three mails of Ada: the invoices are late.", tags=["urgent"])
        save("session/a/plan", "Rechnungen: die Häuser sind noch nicht bezahlt, und das ist dringend.")
        save("session/b/notes", "The invoices were paid. The invoices are filed, all the invoices.")
        save("session/b/east", "東京タワーの近く")
        save("session/b/arrow", "a => b")
        yield vault.working


@pytest.fixture
def lone(tmp_path):
    with Vault.open(tmp_path / "vault") as vault:
        yield vault.working


def found(hits):
    return [hit.working.key for hit in hits]


def test_the_best_comes_first_and_what_holds_no_word_is_not_found(working):
    hits = working.search("late invoice of Ada")
    assert found(hits) == ["session/a/emails_inbox", "session/b/notes"]
    assert hits[0].score > hits[1].score > 0
    assert 1 >= hits[0].relevance > hits[1].relevance > 0


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("emails", "session/a/emails_inbox"),  # a word of the key
        ("finding", "patrol/heartbeat/alert"),  # of the category
        ("URGENT", "session/a/emails_inbox"),  # a tag
        ("filing", "session/b/notes"),  # by its stem
        ("Haus", "session/a/plan"),  # by that of its own language
        ("東京", "session/b/east"),  # a script without spaces
        ("=>", "session/b/arrow"),  # no word at all
        ('"build server"', "patrol/heartbeat/alert"),
    ],
)
def test_an_entry_is_found_by(working, query, key):
    assert found(working.search(query)) == [key]


@pytest.mark.parametrize("query", ["", "  ", "kangaroo", '"server build"', "\0", "\ud800"])
def test_nothing_is_found_by(working, query):
    assert working.search(query) == []


def test_a_query_is_literal_text(working):
    for query in ("NOT invoices OR (", "invoices AND -", "key:invoices*"):
        assert "session/b/notes" in found(working.search(query))


def test_only_under_a_prefix_with_the_category_and_the_tags(working):
    assert found(working.search("invoices", prefix="session/a")) == ["session/a/emails_inbox"]
    assert found(working.search("invoices", tags=["Urgent"])) == ["session/a/emails_inbox"]
    assert found(working.search("disk", category="patrol")) == ["patrol/heartbeat/alert"]
    assert working.search("disk", prefix="session") == []


def test_no_more_than_asked_for(working):
    assert len(working.search("invoices", limit=1)) == 1
    assert working.search("invoices", limit=0) == []


def test_a_hit_tells_why(working):
    (hit,) = working.search("disks alert")
    assert hit.words == ("disk",)
    assert [hit.working.value[start:end] for start, end in hit.marks] == ["disk"]
    assert "“disk”" in hit.why
    assert "“alert”" in hit.why
    assert hit.passage == hit.working.value
    assert (hit.keyword, hit.cosine) == (1.0, None)


def test_the_only_entry_is_found(lone):
    assert lone.search("tea") == []
    lone.save("a", "green tea")
    assert found(lone.search("tea")) == ["a"]


def test_a_word_that_every_entry_holds_finds_all_the_newest_first(lone):
    for key in "abc":
        lone.save(key, "green tea")
    hits = lone.search("tea")
    assert found(hits) == ["c", "b", "a"]
    assert all(hit.score > 0 for hit in hits)


def test_entries_without_a_word_do_no_harm(lone):
    lone.save("—", "…")
    assert lone.search("tea") == []
    lone.save("t", "tea")
    assert found(lone.search("tea")) == ["t"]


def test_what_has_expired_is_not_found(lone):
    lone.save("a", "tea", ttl_minutes=1e-6)
    assert lone.search("tea") == []
