"""Markdown: front matter, headings, fences."""

from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import UserError
from reverie.ingest.extractors.markdown import from_markdown


def sections(text: str) -> list[tuple[str, str]]:
    return [(part.place.heading, part.text) for part in from_markdown(text).parts]


def test_headings_make_a_path() -> None:
    text = "Top.\n# A\nOne.\n## B ##\nTwo.\n#### D\nThree.\n# C\nFour."
    assert sections(text) == [
        ("", "Top."),
        ("A", "One."),
        ("A > B", "Two."),
        ("A > B > D", "Three."),
        ("C", "Four."),
    ]


def test_underlined_headings() -> None:
    assert sections("A\n===\nOne.\n\nB\n---\nTwo.") == [("A", "One."), ("A > B", "Two.")]


def test_a_rule_or_a_table_is_no_heading() -> None:
    assert sections("One.\n\n---\n\nTwo.") == [("", "One.\n\n---\n\nTwo.")]
    assert sections("- item\n---\nx") == [("", "- item\n---\nx")]
    assert sections("#tag is none") == [("", "#tag is none")]


def test_what_looks_like_a_heading_in_code_is_code() -> None:
    text = "# A\n```sh\n# comment\n```\n~~~~\n# x\n~~~\n~~~~\nAfter."
    assert sections(text) == [("A", "```sh\n# comment\n```\n~~~~\n# x\n~~~\n~~~~\nAfter.")]


def test_a_fence_that_is_never_closed_goes_on_to_the_end() -> None:
    assert sections("# A\nOne.\n```\n# B\n# C") == [("A", "One.\n```\n# B\n# C")]


def test_front_matter_becomes_metadata() -> None:
    read = from_markdown(
        '---\ntags: [a, b]\nArea: "[[Hub]]"\ncreated: 2026-03-13\nat: 2026-03-13 10:00:00\nx: .nan\n---\nBody.'
    )
    assert read.metadata == {
        "tags": ["a", "b"],
        "Area": "[[Hub]]",
        "created": "2026-03-13",
        "at": "2026-03-13T10:00:00",
        "x": "nan",
    }
    assert [part.text for part in read.parts] == ["Body."]


def test_broken_front_matter_stays_as_text_and_is_named() -> None:
    read = from_markdown("---\na: [1\nb: 2\n---\nBody.")
    assert read.metadata == {}
    assert "no valid YAML (line 3)" in read.note
    assert "a: [1" in read.parts[0].text


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert sections("---\nJust a rule above.") == [("", "---\nJust a rule above.")]
    assert sections("---\nprose\n---\nx.") == [("", "---\nprose\n---\nx.")]


def test_aliases_that_multiply_are_cut_off() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"{b}: &{b} [{', '.join(['*' + a] * 10)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
    read = from_markdown("---\n" + "\n".join(lines) + "\n---\nBody.")
    assert len(str(read.metadata)) < 20_000


def test_front_matter_that_contains_itself() -> None:
    assert from_markdown("---\na: &a [*a]\n---\nBody.").metadata["a"]


@given(st.text(st.sampled_from("#-=`~ \n>*ab:[]&")))
def test_any_text_is_read_or_has_no_words(text: str) -> None:
    try:
        read = from_markdown(text)
    except UserError:
        return
    assert all(part.text.strip() for part in read.parts)


def test_a_heading_with_nothing_under_it_is_kept() -> None:
    text = "# Trip\n## Linz\n## Graz\nIn May.\n# Rent\n"
    assert sections(text) == [("Trip", "Linz"), ("Trip > Graz", "In May."), ("", "Rent")]


def test_the_marks_that_close_a_heading_are_no_part_of_it() -> None:
    for line, title in (("# Plan ##", "Plan"), ("# C#", "C#"), ("## A # B #  ", "A # B"), ("#\tTab", "Tab")):
        (part,) = from_markdown(f"{line}\nSome text.").parts
        assert part.place.heading == title


def test_a_line_too_long_for_a_heading_is_text() -> None:
    line = "# " + "word " * 100
    (part,) = from_markdown(f"{line}\nSome text.").parts
    assert part.place.heading == ""
    assert part.text.startswith("# word word")
