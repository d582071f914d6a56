"""Every contrast ratio that the specification names, computed again."""

import re
from dataclasses import fields

import pytest

from reverie.domain.memory import Kind
from reverie_gui.theme.tokens import DARK, LIGHT, Palette, contrast

THEMES = pytest.mark.parametrize("look", [LIGHT, DARK], ids=lambda look: look.name)

# What is read, on what, and the least ratio. 4.5 is text, 3 a control or a shape (WCAG 2.2).
READ = [
    *(
        (ink, ground, 4.5)
        for ink in ("text", "text_2", "text_3")
        for ground in ("bg", "panel", "selected", "selected_idle")
    ),
    *((ink, "bg", 4.5) for ink in ("accent", "ok", "warn", "error")),
    *((ink, "raised", 4.5) for ink in ("text", "text_2", "accent", "error")),
    ("on_accent", "accent", 4.5),
    ("text", "mark", 4.5),
    ("text", "hover", 4.5),
    ("bg", "inverse", 4.5),
    ("border", "bg", 3.0),
    ("border", "raised", 3.0),
    ("accent", "panel", 3.0),
    ("ok", "ok_fill", 4.5),
    ("warn", "warn_fill", 4.5),
    ("error", "error_fill", 4.5),
    ("text", "ok_fill", 4.5),
    ("text", "warn_fill", 4.5),
    ("text", "error_fill", 4.5),
    ("plenty", "track", 3.0),
    ("waning", "track", 3.0),
    ("ending", "track", 3.0),
]


@THEMES
@pytest.mark.parametrize(("ink", "ground", "least"), READ)
def test_text_and_controls_stand_out(look: Palette, ink: str, ground: str, least: float) -> None:
    assert contrast(getattr(look, ink), getattr(look, ground)) >= least


@THEMES
@pytest.mark.parametrize("kind", [*Kind, "insight"])
def test_kinds_stand_out(look: Palette, kind: str) -> None:
    assert contrast(look.kinds[kind], look.bg) >= 4.5
    assert contrast(look.kinds[kind], look.panel) >= 3.0


@THEMES
def test_diffs_can_be_read(look: Palette) -> None:
    for side in ("removed", "added"):
        text = getattr(look.diff, f"{side}_text")
        assert contrast(text, getattr(look.diff, f"{side}_word")) >= 4.5
        assert contrast(look.text, getattr(look.diff, side)) >= 4.5


@pytest.mark.parametrize(
    ("look", "ink", "stated"),
    [
        (LIGHT, "text", 16.5),
        (LIGHT, "text_2", 7.0),
        (LIGHT, "text_3", 5.5),
        (LIGHT, "accent", 6.3),
        (LIGHT, "border", 3.3),
        (DARK, "text", 15.1),
        (DARK, "text_2", 8.5),
        (DARK, "text_3", 7.0),
        (DARK, "accent", 7.9),
        (DARK, "border", 4.2),
    ],
)
def test_ratios_are_those_of_the_specification(look: Palette, ink: str, stated: float) -> None:
    assert contrast(getattr(look, ink), look.bg) == pytest.approx(stated, abs=0.06)


@THEMES
def test_every_colour_is_written_out(look: Palette) -> None:
    for item in fields(look):
        if item.type is str and item.name != "name":
            assert re.fullmatch(r"#[0-9A-F]{6}", getattr(look, item.name)), item.name


def test_black_on_white() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#777777") == 1
