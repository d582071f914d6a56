"""What names a memory in a list."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.title import TITLE_LIMIT, title_of


@pytest.mark.parametrize(
    ("content", "heading", "title"),
    [
        ("Aiko is allergic. Lena is not.", "", "Aiko is allergic"),
        ("# **Plan** for [May](http://x)\n\nText", "", "Plan for May"),
        ("\n- [ ] buy bread\n", "", "buy bread"),
        ("Manual > Care > Cleaning\n\nWipe it daily.", "Manual > Care > Cleaning", "Cleaning"),
        ("contacts > customers\n\nname: The Otter Inn\n- kilos: 12", "contacts > customers", "The Otter Inn"),
        (
            "The doctor has changed her tablets again, and\ngrapefruit is forbidden. She is furious.",
            "",
            "The doctor has changed her tablets again, and grapefruit is forbidden",
        ),
        (
            "# A heading that is as long as a line that was wrapped\nand what follows",
            "",
            "A heading that is as long as a line that was wrapped",
        ),
        ("Late start\nmore", "", "Late start"),
        ("", "", ""),
    ],
)
def test_titles(content, heading, title):
    assert title_of(content, heading) == title


@given(content=st.text(), heading=st.text())
def test_any_text_has_a_short_title(content, heading):
    title = title_of(content, heading)
    assert len(title) <= TITLE_LIMIT
    assert "\n" not in title
