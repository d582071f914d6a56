"""What must not be in the repository, and what must not be loaded before it is needed."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PINS = ROOT / "packaging" / "constraints.txt"
TEXT = {
    ".py",
    ".md",
    ".toml",
    ".txt",
    ".sh",
    ".ini",
    ".json",
    ".csv",
    ".cfg",
    ".yml",
    ".yaml",
    ".ts",
    ".svg",
    ".desktop",
    "",
}
# Paths of one machine, and hosts where packages come from: a clone must not depend on either.
FORBIDDEN = re.compile(
    r"(?<![\w.])/(work|root|home/\w+)/|file:///"
    r"|pypi\.org|pythonhosted|deb\.debian\.org|registry\.npmjs|files\.python|extra-index-url|index-url|find-links",
)
HEAVY = [
    "PySide6",
    "alembic",
    "defusedxml",
    "faster_whisper",
    "httpx2",
    "huggingface_hub",
    "json_repair",
    "keyring",
    "lxml",
    "mammoth",
    "numpy",
    "onnxruntime",
    "openai",
    "pptx",
    "pypdfium2",
    "python_calamine",
    "rapidocr",
    "sqlalchemy",
    "striprtf",
    "tokenizers",
    "tomlkit",
    "watchdog",
    "pydantic",
]


def files() -> list[Path]:
    """What git knows, or would if it were added; all files where this is no clone."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout.decode("utf-8")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("needs git and a clone")
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


# This file, the vocabulary, and invented sentences that a shipped model was made with.
EXEMPT = (Path(__file__).name, "tokenizer.json", "calibration.txt")


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in files()
        if path.suffix in TEXT and path.name not in EXEMPT
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if FORBIDDEN.search(line)
    ]

    assert not found, "\n".join(found)


def test_texts_are_utf8_with_unix_line_ends() -> None:
    for path in files():
        if path.suffix in {".py", ".md", ".toml", ".sh", ".ini"} and "data" not in path.parts:
            assert b"\r" not in path.read_bytes(), path


@pytest.mark.parametrize("folder", ["core", "gui", "tests", "packaging", "resources"])
def test_top_folders_are_no_packages(folder: str) -> None:
    """An ``__init__.py`` in packaging/ would hide the library of that name; one in core/ loads the code twice."""
    assert (ROOT / folder).is_dir()
    assert not (ROOT / folder / "__init__.py").exists()


def test_everything_that_is_required_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]

    pinned = {
        _normal(line.partition("==")[0])
        for line in PINS.read_text(encoding="utf-8").splitlines()
        if "==" in line
    }

    missing = {_normal(re.split(r"[\[<>=!~; ]", each, maxsplit=1)[0]) for each in wanted} - pinned
    assert not missing, f"run: make constraints ({', '.join(sorted(missing))})"


def test_pins_are_names_and_versions_alone() -> None:
    for line in PINS.read_text(encoding="utf-8").splitlines():
        assert line.startswith("#") or re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9A-Za-z.]*", line), line


@pytest.mark.parametrize(
    "what",
    ["import reverie", "import reverie.settings, reverie.domain.memory", "import reverie.ingest.isolated"],
)
def test_heavy_libraries_wait_until_they_are_needed(what: str) -> None:
    assert not loaded_by(what, HEAVY)


def test_what_asks_a_model_waits_until_one_is_asked(tmp_path: Path) -> None:
    use = f"from reverie import Vault\nwith Vault.open({str(tmp_path / 'vault')!r}) as vault: vault.memories.add('x')"
    ready = "from reverie.llm.connect import connect; from reverie.settings import Settings; connect(Settings().model)"

    for code in (use, ready):
        assert not loaded_by(code, ["httpx2", "json_repair", "keyring", "openai", "pydantic"])


def test_help_is_quick_to_load() -> None:
    loaded = loaded_by("from reverie.cli import main; main(['--help'])", HEAVY)

    assert not loaded - {"pydantic"}  # typer's own


def test_the_window_is_not_started_through_the_parser_of_verbs() -> None:
    assert not loaded_by("import reverie.cli, reverie.cli.window", [*HEAVY, "typer", "rich"])


def loaded_by(code: str, names: list[str]) -> set[str]:
    """Which of the modules a fresh process has loaded after the code."""
    code += f"; import sys; sys.stderr.write(' '.join(set({names!r}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": f"{ROOT / 'core'}:{ROOT / 'gui'}", "PATH": "", "COLUMNS": "100"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return set(done.stderr.split())


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
