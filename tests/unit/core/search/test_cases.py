"""Faults that real users met in systems like this one, each with its whole kind (ids of the project's list of cases)."""

import json
import sqlite3

import pytest

from reverie import Vault
from reverie.embed.base import Embedder
from reverie.search.modes import MODES

TEXTS = {
    "equipment": "设备清单",
    "apart": "设有很多，备用",
    "rain": "今天下雨了",
    "cities": "我去过桂林",
    "province": "广西很美",
    "thai": "ฉันกินข้าวกับปลา",
    "korean": "저는 한국어를 배웁니다",
    "hindi": "मुझे हिन्दी भाषा पसंद है",
    "arabic": "ذهب مُحَمَّد إلى السوق",
    "quick": "The quick brown fox is fine",
    "ok": "ok, that is settled",
    "ticket": "Ticket BENCH-100821 asks for self-healing",
    "path": "see a/b and don't touch grammar::fa in C++ or C#",
    "version": "Ubuntu 20.04 with v1.2.3-rc1",
    "logic": "tier1-test AND unicode NEAR the OR gate, NOT a NOR",
    "mail": "write to ada.l@example.org about commit 9f86d081884c",
    "identifier": "call getUserName before set_user_name",
    "party": "we had 🎉 and ❤️",
    "german": "Das Café in der Straße öffnet",
    "wide": "ＡＢＣ　株式会社 ﾊﾝｶｸ",
    "column": "note: the content column said category:notes",
    "wrapped": "there are two\nnodes in Linz",
}


@pytest.fixture(scope="module")
def vault(tmp_path_factory, bag_of_words):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reverie.vault._load_embedder", lambda: bag_of_words)
        with Vault.open(tmp_path_factory.mktemp("cases") / "vault") as vault:
            for name, text in TEXTS.items():
                vault.memories.add(text, source=name)
            vault.index.wait()
            yield vault


def names(hits):
    return [hit.memory.provenance.source for hit in hits]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("设备", ["equipment"]),  # B1
        ("清单", ["equipment"]),
        ("设备清", ["equipment"]),
        ("กิน", ["thai"]),
        ("ปลา", ["thai"]),
        ("한국", ["korean"]),
        ("국어", ["korean"]),
        ("हिन्दी", ["hindi"]),
        ("محمد", ["arabic"]),
        ("雨", ["rain"]),  # B2
        ("备", ["apart", "equipment"]),
        ("ok", ["ok"]),
        ("BENCH-100821", ["ticket"]),  # B5
        ("100821", ["ticket"]),
        ("self-healing", ["ticket"]),
        ("a/b", ["path"]),  # B6
        ("don't", ["path"]),
        ("don’t", ["path"]),
        ("C++", ["path"]),
        ("c#", ["path"]),
        ("grammar::fa", ["path"]),
        ("20.04", ["version"]),
        ("v1.2.3-rc1", ["version"]),
        ("ada.l@example.org", ["mail"]),
        ("9f86d081884c", ["mail"]),
        ("9f86d0", ["mail"]),
        ("getUserName", ["identifier"]),
        ("username", ["identifier"]),
        ("🎉", ["party"]),
        ("❤", ["party"]),
        ("cafe strasse", ["german"]),
        ("abc", ["wide"]),
        ("ハンカク", ["wide"]),
        ("category:notes", ["column"]),
        ('"two nodes"', ["wrapped"]),
        ("NOT OR AND NEAR", ["logic"]),
        ("ubunt", ["version"]),  # a part of a word, where nothing else is found
    ],
)
def test_literal_text_finds_its_text(vault, query, found):
    assert sorted(set(names(vault.search(query, mode="keyword")))) == sorted(found)


@pytest.mark.parametrize(
    ("query", "both"),
    [
        ("quick ok", {"quick", "ok"}),  # B2: a short word counts
        ("广西 OR 桂林", {"province", "cities"}),  # B3
        ("广西 桂林", {"province", "cities"}),
        ("tier1-test AND unicode", {"logic"}),  # B7
    ],
)
def test_any_of_the_words_finds(vault, query, both):
    assert set(names(vault.search(query, mode="keyword"))) >= both


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("What is the number of the ticket that asks for self-healing?", "ticket"),  # B8
        ("which Ubuntu version do we have", "version"),
        ("whom should I write to about the commit?", "mail"),
    ],
)
def test_a_whole_question_finds_what_holds_its_keywords(vault, query, first):
    assert names(vault.search(query, mode="keyword"))[0] == first
    assert names(vault.search(query))[0] == first


@pytest.mark.parametrize(
    "query", ["", " ", "***", "???", "()", '""', "=>", "\u200b", "%", "_", "\\", "~", "…", "\0", "\ud83d"]
)
@pytest.mark.parametrize("mode", MODES)
def test_a_query_of_no_words_does_not_match_everything(vault, query, mode):  # B10
    assert len(vault.search(query, mode=mode)) <= 1


def test_signs_alone_are_looked_for_as_they_stand(tmp_path, by_words):
    with Vault.open(tmp_path / "vault") as vault:
        arrow = vault.memories.add("a => b")
        vault.memories.add("a = b > c")
        for query in ("=>", '"=>"'):
            assert [hit.memory.id for hit in vault.search(query)] == [arrow.id]


def test_a_part_of_a_dates_name_does_not_find_what_is_of_that_date(vault):
    for query in ("onda", "uesda", "ednesda", "hursda", "rida", "aturda", "unda", "ovembe", "202"):
        assert vault.search(query, mode="keyword", limit=100) == []


ODD = {
    "memories": {
        "key": [b"\xff", 7],
        "content": [b"zeppelin \xff", 12, ""],
        "summary": [b"\xff", 7, ""],
        "category": [b"\xff", 7, ""],
        "tags": ["", "{}", "[1, null", b"\xff", 7],
        "entities": ["", "null", b"\xff"],
        "topics": ["", "{}", b"\xff"],
        "source": [b"\xff", 7],
        "place": ["", "null", "[]", "{", '{"heading": 5}', '{"heading": ["x"]}', b"\xff", 7, "[" * 100_000],
        "item_id": [b"\xff", 7, ""],
        "created_at": [2**62, -(2**62), 1.5, "soon", 0],
    },
    "messages": {"name": [b"\xff", 7], "content": [b"\xff", 7, ""], "created_at": [2**62, "soon", -1.5]},
}


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        (table, column, value)
        for table, columns in ODD.items()
        for column, values in columns.items()
        for value in values
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else None,
)
def test_one_odd_row_stops_no_search(tmp_path, by_words, table, column, value):  # B11
    """As another program may have written it."""
    path = tmp_path / "vault"
    with Vault.open(path) as vault:
        vault.memories.add("zeppelin one")
        vault.conversations.append("s", "user", "zeppelin one")
    connection = sqlite3.connect(path / "vault.db")
    connection.execute(f"UPDATE {table} SET {column} = ?", (value,))
    connection.execute(
        "INSERT OR IGNORE INTO dirty (kind, seq, stamp) VALUES ('memory', 1, 1), ('message', 1, 1)"
    )
    connection.commit()
    connection.close()
    with Vault.open(path) as vault:
        second = vault.memories.add("zeppelin two")
        vault.conversations.append("s", "user", "zeppelin two")
        assert vault.index.wait(20)
        for mode in MODES:
            assert second.id in [hit.memory.id for hit in vault.search("zeppelin two", mode=mode)]
            assert any(
                hit.message.content == "zeppelin two"
                for hit in vault.conversations.search("zeppelin", mode=mode)
            )


class TestModels:
    """C1, C2, C3, C5: vectors of two models are never compared, and none vanish."""

    @pytest.fixture
    def other_model(self, bag_of_words):
        class Other(type(bag_of_words)):
            name = "another@2"
            dimensions = 32

            def embed(self, texts):
                return super().embed(texts)[:, :32] * 1.0

        return Other()

    def use(self, monkeypatch, embedder: Embedder):
        monkeypatch.setattr("reverie.vault._load_embedder", lambda: embedder)

    def test_another_model_of_another_size_makes_its_own_vectors(
        self, tmp_path, monkeypatch, bag_of_words, other_model
    ):
        path = tmp_path / "vault"
        self.use(monkeypatch, bag_of_words)
        with Vault.open(path) as vault:
            vault.memories.add("zeppelin one")
            vault.index.wait()
            assert vault.search("zeppelin", mode="semantic")
        self.use(monkeypatch, other_model)
        with Vault.open(path) as vault:
            assert vault.search("zeppelin", mode="semantic") == []
            assert vault.search("zeppelin")[0].cosine is None
            second = vault.memories.add("zeppelin two")
            vault.index.wait()
            hits = {hit.memory.id: hit for hit in vault.search("zeppelin", mode="semantic")}
            assert hits[second.id].cosine <= 1.001

    def test_pending_rows_are_counted_and_found_by_words(self, tmp_path, by_words):
        with Vault.open(tmp_path / "vault") as vault:
            vault.memories.add_many([{"content": f"zeppelin {n}"} for n in range(5)])
            vault.conversations.append("s", "user", "zeppelin")
            assert vault.index.pending() <= 6
            vault.index.wait()
            assert vault.index.pending() == 0


def test_a_key_of_json_and_a_long_place_are_searched(tmp_path, by_words):
    with Vault.open(tmp_path / "vault") as vault:
        vault.memories.add("x", key=json.dumps({"zeppelin": [1, 2]}))
        assert vault.search("zeppelin", mode="keyword")
