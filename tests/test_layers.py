"""The contracts of pyproject.toml hold: imports run downwards, no Qt in the core, SQL only in the store."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_imports_keep_to_the_layers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

    monkeypatch.chdir(ROOT)
    for folder in ("core", "gui"):
        monkeypatch.syspath_prepend(str(ROOT / folder))

    assert lint_imports(no_cache=True) == EXIT_STATUS_SUCCESS, capsys.readouterr().out
