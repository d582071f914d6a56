"""Searches a vault in a process of its own: FOLDER MODE...; questions as a JSON list on stdin, answers as JSON on stdout.

Modes: keyword, semantic, hybrid, typing (the end of each question missing), indexing (from nothing), embedding (new texts
become vectors meanwhile). Seconds for each search; bytes of memory.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import psutil

from reverie import Vault

_NEW = 300  # texts to embed


def memory() -> int:
    return int(psutil.Process().memory_info().rss)


def spans(act: Callable[[str], object], questions: list[str]) -> list[float]:
    found = []
    for question in questions:
        start = time.perf_counter()
        act(question)
        found.append(time.perf_counter() - start)
    return found


def embed(vault: Vault, questions: list[str]) -> dict[str, Any]:
    vault.memories.add_many([{"content": f"{n}: {questions[n % len(questions)]}"} for n in range(_NEW)])
    most = 0
    found = []
    while vault.index.pending():
        found += spans(vault.search, questions[:1])
        most = max(most, memory())
    return {"embedding": found, "embedding_memory": most}


def index(vault: Vault) -> float:
    from reverie.search.documents import KINDS
    from reverie.search.keyword_index import KeywordIndex

    made = KeywordIndex(KINDS["memory"], vault._database.texts)
    start = time.perf_counter()
    made.catch_up()
    return time.perf_counter() - start


def main(folder: str, modes: list[str]) -> dict[str, Any]:
    questions: list[str] = json.loads(sys.stdin.read())
    found: dict[str, Any] = {}
    start = time.perf_counter()
    with Vault.open(folder) as vault:
        if "indexing" in modes:
            return {"indexing": index(vault)}
        vault.search(questions.pop())
        found["first"] = time.perf_counter() - start
        for mode in modes:
            if mode == "embedding":
                found |= embed(vault, questions)
            elif mode == "typing":
                typed = [question[: 1 + 2 * len(question) // 3] for question in questions]
                found[mode] = spans(lambda text: vault.search(text, mode="keyword", prefix=True), typed)
            else:
                found[mode] = spans(lambda text, mode=mode: vault.search(text, mode=mode), questions)
        found["memory"] = memory()
    return found


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2:])))  # noqa: T201
