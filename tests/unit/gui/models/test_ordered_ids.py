from hypothesis import given
from hypothesis import strategies as st

from reverie_gui.models.ordered_ids import OrderedIds, steps

IDS = st.lists(st.sampled_from([f"{n}" for n in range(40)]), unique=True)


def walk(old: list[str], new: OrderedIds) -> list[str] | None:
    path = steps(old, new)
    if path is None:
        return None
    rows = list(old)
    for step in path:
        if step.insert:
            rows[step.first : step.first] = step.ids
            assert step.last - step.first + 1 == len(step.ids)
        else:
            del rows[step.first : step.last + 1]
    return rows


@given(IDS, IDS)
def test_steps_lead_to_the_new_list(old: list[str], new: list[str]) -> None:
    rows = walk(old, OrderedIds(new))
    assert rows is None or rows == new


@given(IDS, st.sets(st.integers(0, 39)))
def test_removals_never_need_a_reset(old: list[str], gone: set[int]) -> None:
    new = [each for each in old if int(each) not in gone]
    assert walk(old, OrderedIds(new)) == new


def test_places() -> None:
    ids = OrderedIds(["a", "b", "a", "c"])
    assert list(ids) == ["a", "b", "c"]
    assert (ids.place("c"), ids.place("x")) == (2, -1)
    assert "b" in ids
    assert ids[1:] == ["b", "c"]


def test_moves_reset() -> None:
    assert steps(["a", "b"], OrderedIds(["b", "a"])) is None


def test_many_runs_reset() -> None:
    old = [str(n) for n in range(2000)]
    assert steps(old, OrderedIds(old[::2])) is None
