"""Other ways to search, for the same texts in the same run. Each ranks row numbers for a question and its vector."""

import re
import sqlite3
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from reverie.search.languages import STOPWORDS

Vector = NDArray[np.float32]
Rows = NDArray[np.int64]

_WORD = re.compile(r"\w+")
_WRITER_BYTES = 200_000_000  # of tantivy; its smallest is 15 MB a thread


class Rival(Protocol):
    name: str

    def rank(self, question: str, vector: Vector, count: int) -> Rows:
        """The best ``count`` rows, best first."""
        ...


def words(text: str, *, telling: bool = False) -> list[str]:
    """telling: without English function words, unless nothing else is there."""
    found = _WORD.findall(text.casefold())
    if telling:
        found = [word for word in found if word not in STOPWORDS] or found
    return found


def best(scores: NDArray[np.floating], count: int) -> Rows:
    found = np.argpartition(-scores, count)[:count] if count < len(scores) else np.arange(len(scores))
    return found[np.lexsort((found, -scores[found]))].astype(np.int64)


class RankBm25:
    name = "rank-bm25 (BM25Okapi)"

    def __init__(self, texts: Sequence[str]) -> None:
        from rank_bm25 import BM25Okapi

        self._index = BM25Okapi([words(text) for text in texts])

    def rank(self, question: str, vector: Vector, count: int) -> Rows:
        return best(self._index.get_scores(words(question)), count)


class Fts5:
    """bm25() over the question's words, OR-ed."""

    def __init__(self, texts: Sequence[str], tokenizer: str = "unicode61", *, telling: bool = False) -> None:
        self.name = f"FTS5 {tokenizer.split()[0]}" + (", stopwords dropped" if telling else "")
        self._telling = telling
        self._size = len(texts)
        self._file = sqlite3.connect(":memory:")
        self._file.execute(f"CREATE VIRTUAL TABLE t USING fts5(text, tokenize='{tokenizer}')")
        self._file.executemany("INSERT INTO t(rowid, text) VALUES (?, ?)", enumerate(texts))

    def rank(self, question: str, vector: Vector, count: int) -> Rows:
        return np.array([row for row, _score in self._found(question, count)], np.int64)

    def scores(self, question: str) -> NDArray[np.float64]:
        """Of every row; 0 where no word matches."""
        scores = np.zeros(self._size)
        for row, score in self._found(question, self._size):
            scores[row] = -score
        return scores

    def _found(self, question: str, count: int) -> list[tuple[int, float]]:
        wanted = " OR ".join(f'"{word}"' for word in dict.fromkeys(words(question, telling=self._telling)))
        if not wanted:
            return []
        asked = "SELECT rowid, bm25(t) AS score FROM t WHERE t MATCH ? ORDER BY score LIMIT ?"
        return self._file.execute(asked, (wanted, count)).fetchall()


class Bm25s:
    name = "bm25s (Snowball, stopwords dropped)"

    def __init__(self, texts: Sequence[str]) -> None:
        import bm25s
        import Stemmer

        self._stem = Stemmer.Stemmer("english").stemWords
        self._index = bm25s.BM25()
        self._index.index([self._stem(words(text)) for text in texts], show_progress=False)

    def rank(self, question: str, vector: Vector, count: int) -> Rows:
        return best(self._index.get_scores(self._stem(words(question, telling=True))), count)


class Tantivy:
    name = "tantivy, one field (stemmed, stopwords dropped)"

    def __init__(self, texts: Sequence[str]) -> None:
        import tantivy

        self._made: Any = tantivy
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("text", tokenizer_name="en_stem", index_option="freq")
        schema.add_unsigned_field("row", stored=True, fast=True)
        self._index = tantivy.Index(schema.build())
        writer = self._index.writer(_WRITER_BYTES, 1)
        for row, text in enumerate(texts):
            document = tantivy.Document()
            document.add_text("text", text)
            document.add_unsigned("row", row)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def rank(self, question: str, vector: Vector, count: int) -> Rows:
        wanted = self._index.parse_query(" ".join(words(question, telling=True)), ["text"])
        searcher = self._index.searcher()
        hits = searcher.search(wanted, count).hits
        return np.array([searcher.doc(address)["row"][0] for _score, address in hits], np.int64)


class Cosine:
    name = "MiniLM cosine (NumPy, exact)"

    def __init__(self, vectors: Vector) -> None:
        self._vectors = vectors

    def rank(self, question: str, vector: Vector, count: int) -> Rows:
        return best(self.scores(vector), count)

    def scores(self, vector: Vector) -> Vector:
        return self._vectors @ vector


class HalfAndHalf:
    name = "half and half, min-max (FTS5 porter + MiniLM)"

    def __init__(self, texts: Sequence[str], vectors: Vector) -> None:
        self._words = Fts5(texts, "porter unicode61")
        self._meaning = Cosine(vectors)

    def rank(self, question: str, vector: Vector, count: int) -> Rows:
        halves = self._words.scores(question), self._meaning.scores(vector)
        return best(sum((_min_max(half) for half in halves), np.zeros(len(halves[0]))) / 2, count)


class Hnsw:
    name = "usearch HNSW, f16"

    def __init__(self, vectors: Vector) -> None:
        from usearch.index import Index

        self._index = Index(ndim=vectors.shape[1], metric="ip", dtype="f16")
        self._index.add(np.arange(len(vectors)), vectors)

    def rank(self, question: str, vector: Vector, count: int) -> Rows:
        return np.asarray(self._index.search(vector, count).keys, np.int64)


def _min_max(scores: NDArray[np.floating]) -> NDArray[np.floating]:
    low, high = scores.min(), scores.max()
    return (scores - low) / max(high - low, 1e-9)
