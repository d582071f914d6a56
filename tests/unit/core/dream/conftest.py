"""Doubles of what a dream works with: an embedder of words, a reasoner that is told what to find, a shelf of memories."""

import hashlib
import shutil
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from reverie.domain.dream import Head
from reverie.domain.ids import RunId
from reverie.domain.memory import Kind, Memory
from reverie.domain.text import content_hash, words
from reverie.dream.material import head_of
from reverie.dream.passes.base import Setting
from reverie.reason.base import Finding
from reverie.store.database import Database

START = datetime(2026, 1, 1, tzinfo=UTC)


class WordEmbedder:
    """The sum of a fixed random vector for each word: texts that share most words are near."""

    name = "words@00000000"
    dimensions = 64

    def embed(self, texts):
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words(text):
                digest = hashlib.blake2b(word.encode(), digest_size=self.dimensions).digest()
                row += np.frombuffer(digest, np.uint8).astype(np.float32) - 127.5
            row /= max(float(np.linalg.norm(row)), 1e-9)
        return rows


@dataclass
class ToldReasoner:
    """Finds what it was told to find; keeps what it was given."""

    find: object = lambda memories: []
    given: list = field(default_factory=list)
    name: str = "told"

    def describe(self, texts, *, cancelled=lambda: False):
        return []

    def consolidate(self, memories, vectors):
        assert len(vectors) == len(memories)
        self.given.append([memory.id for memory in memories])
        return [Finding(insight, tuple(sources)) for insight, sources in self.find(memories)]


class Shelf:
    """A material in memory; everything on it has a vector unless ``without`` names it."""

    kb = "default"

    def __init__(self, memories, without=(), embedder=None):
        self._memories = {memory.id: memory for memory in memories}
        self._without = set(without)
        self._embedder = embedder or WordEmbedder()

    def heads(self) -> list[Head]:
        return sorted(map(head_of, self._memories.values()), key=lambda head: (head.created, head.id))

    def memories(self, ids):
        return [self._memories[id] for id in ids if id in self._memories]

    def vectors(self, ids, *, make=False):
        found = [id for id in ids if id in self._memories and (make or id not in self._without)]
        return found, self._embedder.embed([self._memories[id].content for id in found])


@pytest.fixture
def embedder():
    return WordEmbedder()


@pytest.fixture
def told():
    return ToldReasoner()


@pytest.fixture
def shelf():
    return Shelf


@pytest.fixture
def memory():
    """Makes a memory; each one is a minute younger than the one before."""
    made = []

    def make(content="Something", **fields):
        at = START + timedelta(minutes=len(made))
        made.append(at)
        values = {
            "id": f"m{len(made):04}",
            "kb": "default",
            "kind": Kind.NOTE,
            "category": "general",
            "created_at": at,
            "updated_at": at,
            "content_hash": content_hash(content),
            **fields,
        }
        return Memory(content=content, **values)

    return make


@pytest.fixture
def setting():
    return Setting(RunId("run1"), START + timedelta(days=300))


@pytest.fixture
def propose(setting):
    """All that a pass proposes, asked without a wish to stop."""

    def run(each, material, progress=lambda done, total, what: None, cancelled=lambda: False):
        return list(each.propose(material, setting, progress=progress, cancelled=cancelled))

    return run


@pytest.fixture(scope="session")
def blank(tmp_path_factory):
    """The file of an empty vault, made once."""
    folder = tmp_path_factory.mktemp("blank")
    Database(folder / "vault.db", folder).close()
    return folder / "vault.db"


@pytest.fixture
def database(tmp_path, blank):
    shutil.copy(blank, tmp_path / "vault.db")
    database = Database(tmp_path / "vault.db", tmp_path)
    yield database
    database.close()


@pytest.fixture
def embed_all(database, embedder):
    """Gives every stored memory its vector, as the indexer would."""

    def run():
        while waiting := database.embeddings.waiting(500):
            database.embeddings.store(embedder.name, waiting, embedder.embed([each.text for each in waiting]))

    return run
