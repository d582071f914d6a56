"""Finds text that a person can see and no translator can reach: bare_strings.py FOLDER...

Prints each as file:line: text, and ends with 1 where there is any. In the core, text goes through
`reverie.i18n._` or `ngettext`; in the window through `self.tr()` or `QCoreApplication.translate`.
What is meant for machines (object names, ids, formats) is not looked at, because only the arguments
of calls that are known to show text are. A line that ends in `# not translated: reason` is passed over.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TRANSLATORS = {"_", "ngettext", "tr", "translate", "QT_TRANSLATE_NOOP", "QT_TR_NOOP"}
PASSED_OVER = "# not translated:"

# Calls that show text. Of each: which of its arguments are text by position, and which by name.
FIRST = range(1)
ALL = range(100)
NONE = range(0)


def _calls(names: str, positions: range, *keywords: str) -> dict[str, tuple[range, frozenset[str]]]:
    return dict.fromkeys(names.split(), (positions, frozenset(keywords)))


SHOWN = {
    # the core: errors, and what the verbs print
    **_calls(
        "UserError NotFound Conflict Unreadable TooLarge NoText BadParameter UsageError", FIRST, "title"
    ),
    **_calls("echo secho confirm prompt say warn add_column", FIRST, "message", "text", "header"),
    **_calls("add_row", ALL),
    **_calls("Option Argument command add_typer Typer setting", NONE, "title", "epilog"),
    # the window
    **_calls(
        """setText setWindowTitle setToolTip setStatusTip setWhatsThis setPlaceholderText setTitle setLabelText
        setPrefix setSuffix setSpecialValueText setInformativeText setDetailedText setAccessibleName
        setAccessibleDescription setHeaderLabel setSubTitle setButtonText setCancelButtonText showMessage
        setHtml setMarkdown setHeaderLabels setHorizontalHeaderLabels setVerticalHeaderLabels addItems""",
        FIRST,
        "text",
    ),
    **_calls(
        """QLabel QPushButton QCheckBox QRadioButton QGroupBox QMenu QAction QToolButton addAction addMenu
        addTab addRow addButton addSection insertTab setTabText setItemText setTabToolTip""",
        ALL,
        *("text", "title"),
    ),
    **_calls("addItem insertItem", ALL, "text"),
    **_calls(
        """information warning critical question about getText getItem getOpenFileName getOpenFileNames
        getSaveFileName getExistingDirectory""",
        range(1, 3),
        *("caption", "text", "title"),
    ),
}
WITH_DATA = {"addItem", "insertItem"}
# Whatever is called: an argument of this name is text (errors of a module's own, rows of a form).
SHOWN_KEYWORDS = {"detail", "hint", "help", "toolTip", "tooltip", "placeholderText", "placeholder"}
# `logger.warning("...")` is for a developer, `QMessageBox.warning(...)` for a person.
_NOT_ON = re.compile(r"(^|_)(log|logger|logging|warnings)$")
# A letter of any script makes it text; a bare format, sign, number or key does not.
_HAS_WORD = re.compile(r"[^\W\d_]{2,}")
# One lower-case word with joints is a name for a machine ("memory-list", "trash.empty"), as is a key ("Ctrl+K").
_NAME = re.compile(r"[a-z0-9]+([._:/-][a-z0-9]+)+|(Ctrl|Alt|Shift|Meta|F\d+)(\+\w+)*|[A-Z][A-Za-z0-9]*\+\S+")


@dataclass(frozen=True)
class Bare:
    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text!r}"


def find(source: str, path: Path = Path("<text>")) -> list[Bare]:
    """The bare texts of one module, in the order of their lines."""
    lines = source.splitlines()
    found = {
        (text.lineno, text.value)
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call)
        for argument in _shown_arguments(call)
        for text in _literals(argument)
        if PASSED_OVER not in lines[text.lineno - 1]
    }
    return [Bare(path, line, text) for line, text in sorted(found)]


def _shown_arguments(call: ast.Call) -> Iterator[ast.expr]:
    name = _called(call)
    if _NOT_ON.search(_owner(call)):
        return
    positions, keywords = SHOWN.get(name, (NONE, frozenset()))
    for position, argument in enumerate(call.args):
        if position in positions:
            yield argument
        if name in WITH_DATA and isinstance(argument, ast.Call) and _called(argument) in TRANSLATORS:
            break  # what follows the text is data: addItem(self.tr("Dark"), "dark")
    yield from (each.value for each in call.keywords if each.arg in keywords | SHOWN_KEYWORDS)


def _called(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _owner(call: ast.Call) -> str:
    """The last name before the dot: "logger" of ``self.logger.warning(...)``."""
    function = call.func
    if not isinstance(function, ast.Attribute):
        return ""
    owner = function.value
    return owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""


def _literals(node: ast.expr) -> Iterator[ast.Constant]:
    """The texts that stand in an argument outside a call; other calls decide for themselves.

    A text inside ``_()`` is reached by a translator; ``_(f"...")`` is not, since it is put together first.
    """
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str) and _is_text(node.value):
            yield node
    elif isinstance(node, ast.Call):
        yield from _in_call(node)
    else:
        for part in _parts(node):
            yield from _literals(part)


def _parts(node: ast.expr) -> list[ast.expr]:
    """What an expression shows of itself: both sides of a sum, both ends of an if, each text of a list."""
    match node:
        case ast.JoinedStr(values=values) | ast.BoolOp(values=values):
            return values
        case ast.BinOp(left=left, right=right) | ast.IfExp(body=left, orelse=right):
            return [left, right]
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return elements
        case ast.Starred(value=value):
            return [value]
    return []


def _in_call(call: ast.Call) -> Iterator[ast.Constant]:
    name = _called(call)
    if name in TRANSLATORS:
        for argument in call.args:
            if isinstance(argument, ast.JoinedStr):
                yield from _literals(argument)
    elif name == "format" and isinstance(call.func, ast.Attribute):
        yield from _literals(call.func.value)
    elif name in ("QLabel", "str", "capitalize", "upper", "title"):
        for argument in call.args:
            yield from _literals(argument)


def _is_text(value: str) -> bool:
    """Whether there is a word in it. The program's own name is the same in every language."""
    plain = re.sub(r"\bReverie\b|<[^>]*>|\{[^}]*\}|&\w+;|%\d", " ", value).strip()
    return bool(_HAS_WORD.search(plain)) and not _NAME.fullmatch(value)


def main(folders: list[str]) -> int:
    bare: list[Bare] = []
    count = 0
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.py")):
            count += 1
            bare.extend(find(path.read_text(encoding="utf-8"), path))
    for each in bare:
        sys.stdout.write(f"{each}\n")
    sys.stdout.write(f"{len(bare)} untranslated texts in {count} modules\n")
    return 1 if bare or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
