"""Set-up on a machine that lacks something: one clear line, and nothing half made."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX shell scripts")


def machine(folder: Path, **pythons: str) -> dict[str, str]:
    """An environment that has a shell's basic tools and these programs alone."""
    folder.mkdir()
    for tool in ("sh", "head", "dirname", "rm"):
        found = shutil.which(tool)
        assert found
        (folder / tool).symlink_to(found)
    for name, script in pythons.items():
        path = folder / name.replace("_", ".")
        path.write_text(f"#!{folder / 'sh'}\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
    return {"PATH": str(folder)}


def make_venv(env: dict[str, str], target: Path) -> "subprocess.CompletedProcess[str]":
    command = [str(ROOT / "packaging" / "make-venv.sh"), str(target)]
    return subprocess.run(
        ["sh", *command], env=env, capture_output=True, encoding="utf-8", check=False, timeout=60
    )


OLD = 'case "$1" in --version) echo "Python 3.9.2";; *) exit 1;; esac'
NO_VENV = 'case "$2" in *ensurepip*) exit 1;; *print*) echo 3.12;; *) exit 0;; esac'
GOOD = 'case "$1" in -m) echo "made with $0" ;; esac'


def test_too_old_a_python_is_told_in_one_line(tmp_path: Path) -> None:
    done = make_venv(machine(tmp_path / "bin", python3=OLD), tmp_path / "venv")

    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "3.11 or newer" in done.stderr
    assert "Python 3.9.2" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_no_python_at_all_is_told_in_one_line(tmp_path: Path) -> None:
    done = make_venv(machine(tmp_path / "bin"), tmp_path / "venv")

    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "3.11 or newer" in done.stderr


def test_missing_venv_names_the_package(tmp_path: Path) -> None:
    done = make_venv(machine(tmp_path / "bin", python3=NO_VENV), tmp_path / "venv")

    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "python3.12-venv" in done.stderr


def test_newer_python_beside_an_old_one_is_taken(tmp_path: Path) -> None:
    done = make_venv(machine(tmp_path / "bin", python3=OLD, python3_12=GOOD), tmp_path / "venv")

    assert done.returncode == 0
    assert "python3.12" in done.stdout


def test_the_one_that_is_named_is_taken(tmp_path: Path) -> None:
    env = machine(tmp_path / "bin", python3=GOOD, mine=GOOD)

    done = make_venv({**env, "PYTHON": "mine"}, tmp_path / "venv")

    assert "bin/mine" in done.stdout
