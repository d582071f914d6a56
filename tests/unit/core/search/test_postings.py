"""Which rows hold which words: equal to a dictionary, however it was put together."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reverie.search.postings import Postings, merged, renumbered, segment

FORMS, SLOTS = 6, 8
mentions = st.lists(
    st.tuples(st.integers(0, FORMS - 1), st.integers(0, SLOTS - 1), st.sampled_from([1, 2, 4, 8])),
    max_size=60,
)


def made(entries):
    forms, slots, quarters = (np.array([entry[n] for entry in entries], np.int32) for n in range(3))
    return segment(forms, slots, quarters)


def slow(entries):
    counts = Counter()
    for form, slot, quarters in entries:
        counts[form, slot] += quarters
    return {key: min(255, count) for key, count in counts.items()}


def shown(source):
    found = {}
    for form in range(FORMS + 1):
        pairs = source.of(form) if isinstance(source, Postings) else filter(None, [source.of(form)])
        for slots, counts in pairs:
            assert list(slots) == sorted(set(slots.tolist()))
            for slot, count in zip(slots.tolist(), counts.tolist(), strict=True):
                assert (form, slot) not in found
                found[form, slot] = count
    return found


@given(mentions)
def test_a_segment_adds_up_the_mentions_of_a_row(entries):
    assert shown(made(entries)) == slow(entries)


def test_a_count_ends_at_63_mentions():
    assert shown(made([(0, 0, 4)] * 1_000)) == {(0, 0): 255}


@given(mentions, mentions)
def test_merging_loses_nothing(one, other):
    other = [(form, slot + SLOTS, quarters) for form, slot, quarters in other]
    assert shown(merged([made(one), made(other)])) == {**slow(one), **slow(other)}


@given(st.lists(mentions, max_size=12))
def test_many_additions_are_one(parts):
    postings = Postings()
    entries = []
    for number, part in enumerate(parts):
        part = [(form, slot + SLOTS * number, quarters) for form, slot, quarters in part]
        postings.add(made(part))
        entries += part
    assert shown(postings) == slow(entries)
    sizes = [each.size for each in postings.segments]
    assert all(sizes[n] >= 2 * sizes[n + 1] for n in range(len(sizes) - 1))


@given(mentions, mentions, st.data())
def test_renumbering_leaves_out_what_has_no_new_number(one, other, data):
    other = [(form, slot + SLOTS, quarters) for form, slot, quarters in other]
    maps = []
    for size in (2 * SLOTS, FORMS):
        kept = data.draw(st.lists(st.sampled_from(range(size)), unique=True))
        numbers = np.full(size + 1, -1, np.int32)
        numbers[kept] = np.arange(len(kept))
        maps.append(numbers)
    slots, forms = maps
    found = renumbered([made(one), made(other)], slots, forms)
    assert shown(found) == {
        (forms[form], slots[slot]): count
        for (form, slot), count in slow([*one, *other]).items()
        if forms[form] >= 0 and slots[slot] >= 0
    }
