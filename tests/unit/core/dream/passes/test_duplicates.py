import time

import pytest

from reverie.domain.clock import to_micros
from reverie.domain.dream import ProposalKind
from reverie.domain.memory import Kind
from reverie.domain.records import read_memory
from reverie.dream.passes.duplicates import Duplicates
from reverie.errors import Cancelled


def groups(proposals):
    return sorted(sorted(proposal.sources) for proposal in proposals)


def test_the_same_text_is_one_merge_that_names_all_copies(memory, shelf, propose):
    copies = [memory("Ada likes tea", tags=(tag,)) for tag in "abc"]
    (proposal,) = propose(Duplicates(), shelf([*copies, memory("Bob likes tea")]))
    assert proposal.kind is ProposalKind.MERGE
    assert groups([proposal]) == [[copy.id for copy in copies]]
    assert proposal.versions == {copy.id: to_micros(copy.updated_at) for copy in copies}
    made = read_memory(proposal.after)
    assert made.content == "Ada likes tea"
    assert made.created_at == copies[0].created_at
    assert made.tags == ("a", "b", "c")
    assert made.id not in {copy.id for copy in copies}


def test_the_same_text_needs_no_vector(memory, shelf, propose):
    copies = [memory("Ada likes tea"), memory("Ada  likes tea")]
    assert len(propose(Duplicates(), shelf(copies, without=[copy.id for copy in copies]))) == 1


def test_nearly_the_same_text_needs_one(memory, shelf, propose):
    near = [
        memory("The user prefers window seats on very long flights across the ocean."),
        memory("User prefers window seats on very long flights across the ocean"),
    ]
    (proposal,) = propose(Duplicates(), shelf(near))
    assert groups([proposal]) == [[near[0].id, near[1].id]]
    assert propose(Duplicates(), shelf(near, without=[near[1].id])) == []


def test_the_text_that_says_more_stays_to_the_letter(memory, shelf, propose):
    short = memory("Ada drinks green tea with honey and lemon every single morning in the garden")
    long = memory("ada drinks green tea with honey and fresh lemon every single morning in the garden!")
    (proposal,) = propose(Duplicates(cosine=0.9), shelf([short, long]))
    assert proposal.sources[0] == long.id
    assert proposal.after["content"] == long.content


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Task {} of the long list of tasks for the kitchen is done", ("5", "6")),
        ("The weekly meeting of the whole sales team is at {} pm in the big room", ("3", "4")),
        ("The whole sales team reports to {} since the beginning of the year", ("Ada", "Bob")),
        ("The new supplier of the kitchen {} deliver on public holidays", ("does", "doesn't")),
    ],
)
def test_other_numbers_names_and_negation_never_merge(memory, shelf, propose, one, other):
    texts = [memory(one.format(word)) for word in other]
    assert propose(Duplicates(cosine=0.5, overlap=0.0), shelf(texts)) == []


def test_pinned_ones_are_left_alone(memory, shelf, propose):
    copies = [memory("Ada likes tea", pinned=True), memory("Ada likes tea"), memory("Ada likes tea")]
    assert groups(propose(Duplicates(), shelf(copies))) == [[copies[1].id, copies[2].id]]
    assert propose(Duplicates(), shelf(copies[:2])) == []


def test_those_that_differ_on_purpose_are_left_alone(memory, shelf, propose):
    texts = [
        memory("Ada likes tea", key="a"),
        memory("Ada likes tea", key="b"),
        memory("Ada likes tea", muted=True),
        memory("Ada likes tea", kind=Kind.FACT),
    ]
    assert propose(Duplicates(), shelf(texts)) == []


def test_a_chain_of_small_differences_joins_only_what_one_text_says(memory, shelf, propose):
    base = "Ada takes the early train to the office with her folding bicycle and a large umbrella"
    all_of_it = memory(base + " and a hat")
    part = memory(base)
    other = memory(base + " and a dog")
    found = propose(Duplicates(cosine=0.8), shelf([all_of_it, part, other]))
    (group,) = groups(found)
    assert part.id in group
    assert len(group) == 2


def test_a_second_look_at_what_came_of_it_finds_nothing(memory, shelf, propose):
    texts = [memory(f"Note about thing {n // 3}, written down again", tags=(f"t{n}",)) for n in range(30)]
    found = propose(Duplicates(), shelf(texts))
    assert len(found) == 10
    after = [read_memory(proposal.after) for proposal in found]
    assert propose(Duplicates(), shelf(after)) == []


def test_the_next_dream_reads_only_what_has_changed(memory, shelf, propose):
    texts = [memory(f"Note about thing {n}") for n in range(5)]
    each, material = Duplicates(), shelf(texts)
    propose(each, material)
    read = []
    material.memories = lambda ids: read.extend(ids) or shelf(texts).memories(ids)
    propose(each, material)
    assert read == []


def test_a_memory_that_changes_while_it_is_read_is_left_for_the_next_dream(memory, shelf, propose):
    copies = [memory("Ada likes tea"), memory("Ada likes tea")]
    material = shelf(copies)
    heads = material.heads()
    material.heads = lambda: [heads[0], heads[1]._replace(version=heads[1].version - 1)]
    assert propose(Duplicates(), material) == []


def test_ten_thousand_copies_are_one_merge(memory, shelf, propose):
    copies = [memory("Ada likes tea") for _ in range(10_000)]
    (proposal,) = propose(Duplicates(), shelf(copies))
    assert len(proposal.sources) == 10_000


def test_it_tells_how_far_it_is_and_stops_when_asked(memory, shelf, propose):
    texts = [memory(f"Note about thing {n}") for n in range(1200)]
    seen = []
    propose(Duplicates(), shelf(texts), progress=lambda done, total, what: seen.append((done, total)))
    assert all(0 <= done <= total for done, total in seen)
    asked = []
    with pytest.raises(Cancelled):
        propose(Duplicates(), shelf(texts), cancelled=lambda: asked.append(0) or len(asked) > 2)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_hundred_thousand_in_minutes(memory, shelf, propose, embedder):
    """And it looks for a stop within a second of its own work; the last result stands in the issue."""
    import random

    words = [f"{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}word{'abcdefgh'[n % 8]}" for n in range(2000)]
    chance = random.Random(1)
    texts = [memory(" ".join(chance.choices(words, k=20))) for _ in range(100_000)]
    texts += [memory(texts[n].content.upper()) for n in range(0, 100_000, 1000)]
    material = shelf(texts)
    rows = embedder.embed([text.content for text in texts])
    place = {text.id: n for n, text in enumerate(texts)}
    material.vectors = lambda ids, make=False: (list(ids), rows[[place[id] for id in ids]])
    begun, looked, gaps = time.perf_counter(), [time.thread_time()], []

    def cancelled():
        gaps.append(time.thread_time() - looked[-1])
        looked.append(time.thread_time())
        return False

    found = propose(Duplicates(), material, cancelled=cancelled)
    assert time.perf_counter() - begun < 600
    assert len(found) == 100
    assert max(gaps) < 1.0
