"""What `make run` does where there is no display: the whole job, in a process of its own, on the shipped samples."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.timeout(600)
def test_without_a_display_the_demo_runs_and_names_its_folder(tmp_path: Path) -> None:
    gone = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    env = {name: value for name, value in os.environ.items() if name not in gone}
    env |= {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "TMPDIR": str(tmp_path),
        "REVERIE_VAULT": str(tmp_path / "mine"),
    }

    done = subprocess.run(
        [sys.executable, "-m", "reverie"], env=env, capture_output=True, encoding="utf-8", check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert "No display" in lines[0]
    (folder,) = tmp_path.glob("reverie-demo-*")
    assert any(line.endswith(str(folder)) for line in lines)
    dump = json.loads((folder / "export.json").read_text(encoding="utf-8"))
    assert len(dump["memories"]) > 20
    assert "91 cm wide" in done.stdout
    assert len(list((folder / "pictures").glob("*.png"))) >= 4
    assert all(picture.read_bytes().startswith(b"\x89PNG") for picture in (folder / "pictures").glob("*.png"))
    assert not (tmp_path / "mine").exists()
