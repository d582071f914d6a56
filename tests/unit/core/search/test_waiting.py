"""Waiting for vectors ends: with the last one, at a limit, when asked to, or where none can be made."""

import pytest

from reverie.errors import UserError
from reverie.search.waiting import wait_for_vectors


class Index:
    """So many vectors are missing; each look at it finds ``made`` more."""

    def __init__(self, missing: int, made: int = 1, problem: str = "") -> None:
        self.missing, self.made, self.problem, self.looks = missing, made, problem, 0

    def pending(self) -> int:
        return self.missing

    def wait(self, timeout: float | None = None) -> bool:
        self.looks += 1
        if self.problem:
            raise UserError(self.problem)
        self.missing = max(0, self.missing - self.made)
        return not self.missing


def test_until_every_memory_has_its_vector() -> None:
    seen: list[tuple[int, int]] = []
    index = Index(missing=3)
    assert wait_for_vectors(index, lambda done, total, what: seen.append((done, total))) == 0
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_where_none_is_missing_nothing_is_said() -> None:
    seen: list[int] = []
    assert wait_for_vectors(Index(missing=0), lambda done, total, what: seen.append(total)) == 0
    assert seen == []


def test_no_longer_than_the_limit() -> None:
    assert wait_for_vectors(Index(missing=5, made=0), limit_s=0.0) == 5


def test_until_asked_to_stop() -> None:
    index = Index(missing=9)
    assert wait_for_vectors(index, stopped=lambda: index.looks == 4) == 5


def test_new_texts_that_come_in_meanwhile_count_too() -> None:
    seen: list[tuple[int, int]] = []
    index = Index(missing=2, made=0)

    def show(done: int, total: int, what: str) -> None:
        seen.append((done, total))
        if len(seen) == 1:
            index.missing, index.made = 6, 2

    assert wait_for_vectors(index, show) == 0
    assert seen == [(0, 2), (0, 4), (2, 4), (4, 4)]


def test_without_an_embedder_it_is_told() -> None:
    with pytest.raises(UserError, match="no model"):
        wait_for_vectors(Index(missing=1, problem="no model"))
