"""What starting the window may load, and that it opens and closes: in a process of its own."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "numpy",
    "alembic",
    "onnxruntime",
    "tokenizers",
    "openai",
    "httpx2",
    "json_repair",
    "keyring",
    "pypdfium2",
    "rich",
    "typer",
    "numpy",
    "watchdog",
    "pydantic",
    "PySide6.QtNetwork",
)

PROGRAM = """
import json, os, sys, time
os.environ["QT_QPA_PLATFORM"] = "offscreen"
begun = time.perf_counter()
import reverie_gui.app as app
from reverie_gui.preferences import Preferences
from pathlib import Path
from PySide6.QtCore import QTimer
made, theme = app.make_application()
session = app.Session(theme, Preferences(Path(sys.argv[1]) / "window.ini"))
session.window.show()
made.processEvents()
painted = time.perf_counter() - begun
at_paint = sorted(sys.modules)
from reverie import Vault
session.attach(Vault.open(Path(sys.argv[1]) / "vault"))
QTimer.singleShot(500, session.window.close)
made.exec()
print(json.dumps({"painted": painted, "modules": at_paint}))
"""


def test_nothing_heavy_is_loaded_before_the_first_paint(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        env=_environment(tmp_path),
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    loaded = {name for name in HEAVY if name in found["modules"]}
    assert not loaded
    assert found["painted"] < 5  # a guard against a hang; `make bench` holds the real figure


def _environment(home: Path) -> dict[str, str]:
    root = Path(__file__).parents[3]
    paths = os.pathsep.join((str(root / "core"), str(root / "gui")))
    return {**os.environ, "PYTHONPATH": paths, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(home)}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM that a program can hear")
def test_a_polite_kill_closes_the_window(tmp_path: Path) -> None:
    program = (
        "import sys; from reverie_gui.opening import open_vault, start_opening; "
        f"future = start_opening(lambda: open_vault({str(tmp_path / 'vault')!r})); "
        "from PySide6.QtCore import QTimer; import reverie_gui.app as app; "
        "made, _ = app.make_application(); "
        "QTimer.singleShot(300, lambda: print('up', flush=True)); sys.exit(app.run(future))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, encoding="utf-8", env=_environment(tmp_path)
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "up\n"
        running.send_signal(signal.SIGTERM)
        assert running.wait(30) == 0
