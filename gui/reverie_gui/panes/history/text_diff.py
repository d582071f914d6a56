"""A text before and after, by the words that differ; a text that came or went, in short."""

from reverie.domain.text import shorten
from reverie_gui.theme.theme import Theme
from reverie_gui.widgets.diff_view import DiffView
from reverie_gui.widgets.word_diff import Line, Run, Shown, diff, folded

_WHOLE = 400  # characters of a text that came or went: all of it is one click away


def text_lines(before: str | None, after: str | None) -> list[Shown]:
    """What a diff shows; ``before`` or ``after`` None where the text came or went. Compares: call it on a worker."""
    if before is not None and after is not None:
        return folded(diff(before, after))
    sign, text = ("+", after) if before is None else ("-", before)
    return [Line("+" if sign == "+" else "-", (Run(shorten(text or "", _WHOLE)),))]


def text_diff(theme: Theme, lines: list[Shown], name: str) -> DiffView:
    """``name`` is said by screen readers."""
    made = DiffView(theme)
    made.setAccessibleName(name)
    made.show_lines(lines)
    return made
