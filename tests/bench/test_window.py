"""How soon the window can be used, and whether it stays quick while files are read."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("PySide6")
pytestmark = [pytest.mark.bench, pytest.mark.timeout(1800)]

HERE = Path(__file__).parent
Vaults = Callable[[int], Path]
Texts = Callable[..., Iterator[str]]


def child(script: str, *arguments: object, **env: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, str(HERE / script), *map(str, arguments)],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "QT_QPA_PLATFORM": "offscreen",
            "REVERIE_BENCH_START": repr(time.time()),
            **env,
        },
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


def test_first_rows_painted(vaults: Vaults, table: Any, size: int) -> None:
    folder = str(vaults(size))
    child("first_paint.py", REVERIE_VAULT=folder)  # the disk's cache is warm after this one
    spans = sorted(child("first_paint.py", REVERIE_VAULT=folder)["seconds"] for _ in range(3))
    table.add("first rows painted, from process start, p50 of 3", size, spans[1], "s", 1.2)


def test_timer_while_files_are_read(make_texts: Texts, tmp_path: Path, table: Any) -> None:
    files = tmp_path / "files"
    files.mkdir()
    sentences = make_texts(200 * 8, seed=31)
    for number in range(200):
        (files / f"note {number}.txt").write_text(
            "\n\n".join(next(sentences) for _ in range(8)), encoding="utf-8"
        )

    late = child("timer_lateness.py", tmp_path / "vault", files)

    assert late["done"] == 200
    note = f"p50 {late['p50']:.1f}, longest {late['max']:.0f}, {late['seconds']:.0f} s for 200 files"
    table.add("10 ms timer late while 200 files are read, p99", None, late["p99"], "ms", 25.0, note)
