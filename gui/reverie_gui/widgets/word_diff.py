"""What differs between two texts: by sentence, and by word inside of a sentence that was changed. No Qt.

The texts are compared as they stand; what is returned is plain text, to be shown as such.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from reverie.domain.text import fold, sentences, words

Sign = Literal[" ", "-", "+"]

FOLD_OVER = 3  # unchanged lines in a row that are shown as they are
LIMIT = 20_000  # characters of a text that are compared; the rest is counted
_UNITS = 400  # sentences of a text above which only whole ones are compared
_ALIKE = 0.4  # share of words in common from which one sentence counts as a new wording of the other
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a line; ``changed`` is what was removed or added."""

    text: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence, or one line that is none. sign: "-" only before, "+" only after, " " in both."""

    sign: Sign
    runs: tuple[Run, ...]

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True)
class Folded:
    """Unchanged lines that are not shown at first."""

    lines: tuple[Line, ...]


Shown = Line | Folded


def units(text: str) -> list[str]:
    """The sentences of a text, line by line; blank lines give none."""
    found: list[str] = []
    for line in text[:LIMIT].splitlines():
        if line.strip():
            found += sentences(line) or [line.strip()]
    return found


def diff(before: str, after: str) -> list[Line]:
    """Lines in reading order; a changed sentence is its "-" line and then its "+" line."""
    old, new = units(before), units(after)
    if max(len(old), len(new)) > _UNITS:
        return _whole(old, new)
    lines: list[Line] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            lines += [Line(" ", (Run(unit),)) for unit in old[a:b]]
        else:
            lines += _changed(old[a:b], new[c:d])
    return lines


def words_diff(before: str, after: str) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """The runs of both sentences; blanks between two changed words belong to the change."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    left: list[Run] = []
    right: list[Run] = []
    for tag, a, b, c, d in _bridged(SequenceMatcher(None, old, new, autojunk=False).get_opcodes(), old):
        changed = tag != "equal"
        _add(left, "".join(old[a:b]), changed)
        _add(right, "".join(new[c:d]), changed)
    return tuple(left), tuple(right)


def folded(lines: Sequence[Line]) -> list[Shown]:
    """Unchanged runs of over three lines become one Folded, except that a line stays on each side of a change."""
    shown: list[Shown] = []
    start = 0
    while start < len(lines):
        if lines[start].sign != " ":
            shown.append(lines[start])
            start += 1
            continue
        end = start
        while end < len(lines) and lines[end].sign == " ":
            end += 1
        shown += _fold_run(lines[start:end], first=start == 0, last=end == len(lines))
        start = end
    return shown


def origins(sentence: str, sources: Sequence[str]) -> tuple[int, ...]:
    """Which of the sources (counted from 1) say a sentence: to the letter, else most of its words (80 %)."""
    wanted = fold(" ".join(sentence.split()))
    exact = tuple(
        n for n, source in enumerate(sources, 1) if wanted and wanted in fold(" ".join(source.split()))
    )
    if exact:
        return exact
    own = set(words(sentence))
    if not own:
        return ()
    shares = [len(own & set(words(source))) / len(own) for source in sources]
    return tuple(n for n, share in enumerate(shares, 1) if share >= 0.8)


def _changed(old: Sequence[str], new: Sequence[str]) -> list[Line]:
    lines: list[Line] = []
    i = j = 0
    for a, b in [*_pairs(old, new), (len(old), len(new))]:
        lines += [Line("-", (Run(unit, True),)) for unit in old[i:a]]
        lines += [Line("+", (Run(unit, True),)) for unit in new[j:b]]
        if a < len(old) and b < len(new):
            left, right = words_diff(old[a], new[b])
            lines += [Line("-", left), Line("+", right)]
        i, j = a + 1, b + 1
    return lines


def _pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Sentences that are new wordings of one another, in order, the most alike in sum."""
    if not old or not new or len(old) * len(new) > 2500:
        return []
    alike = [[_likeness(a, b) for b in new] for a in old]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            paired = alike[i][j] + best[i + 1][j + 1] if alike[i][j] >= _ALIKE else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    found: list[tuple[int, int]] = []
    i = j = 0
    while i < len(old) and j < len(new):
        if alike[i][j] >= _ALIKE and best[i][j] == alike[i][j] + best[i + 1][j + 1]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


def _likeness(a: str, b: str) -> float:
    """Words in common, 0..1 (Dice)."""
    one, other = words(a), words(b)
    if not one or not other:
        return 0.0
    rest = list(other)
    common = 0
    for word in one:
        if word in rest:
            rest.remove(word)
            common += 1
    return 2 * common / (len(one) + len(other))


def _whole(old: Sequence[str], new: Sequence[str]) -> list[Line]:
    """Sentences as wholes: those that are gone, then those of the new text, in order."""
    before, after = set(old), set(new)
    lines = [Line("-", (Run(unit, True),)) for unit in old if unit not in after]
    return lines + [Line(" ", (Run(u),)) if u in before else Line("+", (Run(u, True),)) for u in new]


def _bridged(
    opcodes: Sequence[tuple[str, int, int, int, int]], old: Sequence[str]
) -> list[tuple[str, int, int, int, int]]:
    """A blank that stands alone between two changes joins them: one strike, not three."""
    out: list[tuple[str, int, int, int, int]] = []
    for place, (tag, a, b, c, d) in enumerate(opcodes):
        lone = tag == "equal" and b - a == 1 and old[a].isspace()
        if lone and 0 < place < len(opcodes) - 1:
            tag = "replace"
        if out and out[-1][0] != "equal" and tag != "equal":
            _tag, first, _b, third, _d = out.pop()
            out.append(("replace", first, b, third, d))
        else:
            out.append((tag, a, b, c, d))
    return out


def _add(runs: list[Run], text: str, changed: bool) -> None:
    if text:
        runs.append(Run(text, changed))


def _fold_run(run: Sequence[Line], *, first: bool, last: bool) -> list[Shown]:
    head = 0 if first else 1
    tail = 0 if last else 1
    middle = run[head : len(run) - tail]
    if len(run) <= FOLD_OVER or len(middle) < 2:
        return list(run)
    return [*run[:head], Folded(tuple(middle)), *run[len(run) - tail :]]
