"""The docs tell the truth: what they name is there, and what is there they name."""

import importlib.util
import re
from pathlib import Path

import pytest

from reverie import settings
from reverie.cli.verbs import VERBS, build

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / name for name in ("README.md", "CHANGELOG.md", "core/README.md", "gui/README.md")]


def verbs() -> set[str]:
    return {str(command.name) for command in build().registered_commands}


def test_every_verb_stands_in_the_readme() -> None:
    named = set(re.findall(r"^\| `reverie (\w+)", README, flags=re.MULTILINE))

    assert named == verbs()
    assert len(verbs()) >= len(VERBS) + 2


def test_every_verb_tells_what_it_does() -> None:
    for command in build().registered_commands:
        assert command.help, command.name


def test_table_of_settings_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("settings_table", ROOT / "packaging" / "settings_table.py")
    assert spec
    assert spec.loader
    settings_table = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(settings_table)

    assert settings_table.with_table(README) == README, "run: python packaging/settings_table.py"
    for info in settings.describe():
        assert f"`{info.key}`" in README


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_pictures_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if not target.startswith(("http:", "https:", "#")):
            assert (page.parent / target.partition("#")[0]).exists(), target


def test_every_make_target_that_is_named_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z0-9-]+):", makefile, flags=re.MULTILINE))

    named = {
        word for page in PAGES for word in re.findall(r"`make ([a-z0-9-]+)", page.read_text(encoding="utf-8"))
    }

    assert named
    assert named <= targets
    assert {"run", "test", "lint", "bench"} <= named


def test_every_package_stands_on_the_map() -> None:
    page = (ROOT / "core" / "README.md").read_text(encoding="utf-8")
    for each in sorted((ROOT / "core" / "reverie").iterdir()):
        if each.name.startswith("_"):
            continue
        name = each.name if each.suffix else f"{each.name}/"
        assert f"`{name}`" in page, name


def test_layers_on_the_map_are_those_that_are_held() -> None:
    page = (ROOT / "core" / "README.md").read_text(encoding="utf-8")
    contract = (
        (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("layers = [")[2].partition("]")[0]
    )
    held = [line.replace("(", "").replace(")", "") for line in re.findall(r'"(.+)"', contract)]

    assert "\n".join(held) in page
