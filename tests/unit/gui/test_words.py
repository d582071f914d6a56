"""Every text that a person sees goes through translation: bare strings are found here."""

import ast
from pathlib import Path

import reverie_gui

ROOT = Path(reverie_gui.__file__).parent

# Where a literal first argument would be shown as it stands.
SHOWN = {
    "setText", "setToolTip", "setWindowTitle", "setPlaceholderText", "setAccessibleName", "setTitle", "addAction",
    "addMenu", "label", "button", "tool", "toast", "say", "offer", "Banner", "Toast", "Section", "Choice", "Primary",
    "addTab", "setStatusTip", "QLabel", "QPushButton", "QCheckBox",
}  # fmt: skip
NO_WORDS = {"Reverie"}  # a name


def bare(call: ast.Call) -> str | None:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name not in SHOWN or not call.args:
        return None
    first = call.args[0]
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        text = first.value
    elif isinstance(first, ast.JoinedStr):
        text = "".join(part.value for part in first.values if isinstance(part, ast.Constant))
    else:
        return None
    return text if any(char.isalpha() for char in text) and text not in NO_WORDS else None


def test_no_bare_strings_are_shown() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}: {text}"
        for file in sorted(ROOT.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and (text := bare(node)) is not None
    ]
    assert not found, "\n".join(found)
