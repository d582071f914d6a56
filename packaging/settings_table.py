"""Writes the table of settings into README.md from their declarations: python packaging/settings_table.py"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "core"))

from reverie import settings  # noqa: E402 - the checkout's own, whatever is installed
from reverie.settings import SettingInfo  # noqa: E402

BEGIN, END = "<!-- settings: begin", "<!-- settings: end -->"


def table() -> str:
    lines = ["| setting | default | what it does | variable |", "| --- | --- | --- | --- |"]
    for info in settings.describe():
        variables = "<br>".join(f"`{name}`" for name in info.environment)
        lines.append(f"| `{info.key}` | {_default(info)} | {_about(info)} | {variables} |")
    return "\n".join(lines)


def _default(info: SettingInfo) -> str:
    if info.type == "secret" or info.default == "":
        return "none"
    text = str(info.default).lower() if isinstance(info.default, bool) else str(info.default)
    return " ".join(filter(None, (text, info.unit)))


def _about(info: SettingInfo) -> str:
    bounds = ""
    if info.choices:
        bounds = f" ({', '.join(info.choices)})"
    elif info.minimum is not None and info.maximum is not None:
        bounds = f" ({_number(info.minimum)} to {_number(info.maximum)})"
    return info.help + bounds


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


def with_table(readme: str) -> str:
    """The text of the README with the table as it should be."""
    before, begin, rest = readme.partition(BEGIN)
    comment, _, tail = rest.partition("\n")
    _, end, after = tail.partition(END)
    return f"{before}{begin}{comment}\n{table()}\n{end}{after}"


if __name__ == "__main__":
    path = ROOT / "README.md"
    path.write_text(with_table(path.read_text(encoding="utf-8")), encoding="utf-8")
