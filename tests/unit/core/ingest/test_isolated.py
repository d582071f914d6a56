"""Extraction in a process of its own ends in time, whatever the file does."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from reverie.errors import Cancelled
from reverie.ingest import isolated
from reverie.ingest.extractors import Limits, NoText, TooLarge, Unreadable, extract
from reverie.ingest.isolated import SMALL, Readers, extract_isolated

SAMPLES = Path(__file__).parents[4] / "resources" / "samples"
MANUAL = SAMPLES / "aurelia-r7-manual.pdf"


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large.txt"
    path.write_text("A sentence of six words here. " * (SMALL // 20), encoding="utf-8")
    return path


def children() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


def test_the_answer_is_that_of_extract(large: Path) -> None:
    for path in (MANUAL, large, SAMPLES / "moving-plan.md"):
        assert extract_isolated(path) == extract(path)
    assert children() == []


def test_small_texts_need_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "_launch", lambda *_: pytest.fail("a process was started"))
    assert extract_isolated(SAMPLES / "bank-2026-q1.csv").parts


def test_what_the_child_refuses_is_refused_here(tmp_path: Path, large: Path) -> None:
    empty = tmp_path / "scan.pdf"
    empty.write_bytes(b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R]"
                      b" /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj\n"
                      b"trailer\n<< /Root 1 0 R /Size 4 >>\n%%EOF")  # fmt: skip
    with pytest.raises(NoText, match="no text layer"):
        extract_isolated(empty)
    with pytest.raises(TooLarge) as raised:
        extract_isolated(large, Limits(text_bytes=1000))
    assert raised.value.hint
    with pytest.raises(Unreadable, match="is not there"):
        extract_isolated(tmp_path / "gone.pdf")


def slow(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Lets the child do something else than extracting."""
    real = subprocess.Popen

    def popen(command: list[str], **options: object) -> "subprocess.Popen[bytes]":
        return real([command[0], "-c", code], **options)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(isolated.subprocess, "Popen", popen)


def test_a_child_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    slow(monkeypatch, "import time; time.sleep(60)")
    with pytest.raises(Unreadable, match="over 1 seconds"):
        extract_isolated(MANUAL, Limits(seconds=1))
    assert children() == []


@pytest.mark.parametrize("code", ["import os; os.abort()", "print('garbage')", "import sys; sys.exit(3)"])
def test_a_child_that_breaks_down_is_the_files_fault(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    slow(monkeypatch, code)
    with pytest.raises(Unreadable, match="could not be read") as raised:
        extract_isolated(MANUAL)
    assert raised.value.retryable


def test_cancelling_ends_the_child_within_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    slow(monkeypatch, "import time; time.sleep(60)")
    start = time.monotonic()
    with pytest.raises(Cancelled):
        extract_isolated(MANUAL, cancelled=lambda: time.monotonic() - start > 0.3)
    assert time.monotonic() - start < 1.3
    assert children() == []


def test_one_process_reads_many_files_and_a_refused_one_does_not_end_it(tmp_path: Path, large: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\nthis is where it ends")
    readers = Readers()
    try:
        assert readers.extract(MANUAL) == extract(MANUAL)
        (first,) = children()
        with pytest.raises(Unreadable):
            readers.extract(broken)
        assert readers.extract(large) == extract(large)
        assert children() == [first]
    finally:
        readers.rest()
    assert children() == []


def test_after_so_many_files_the_process_is_renewed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "_MOST_FILES", 2)
    readers = Readers()
    seen = set()
    for _file in range(4):
        readers.extract(MANUAL)
        seen |= {child.pid for child in children()}
    assert len(seen) == 2  # seen after the first and the third; ended with the second and the fourth
    assert children() == []


def test_a_process_that_died_while_idle_is_no_fault_of_the_next_file() -> None:
    readers = Readers()
    readers.extract(MANUAL)
    for child in children():
        child.kill()
        child.wait()
    assert readers.extract(MANUAL).parts
    readers.rest()


def test_files_at_once_have_a_process_each() -> None:
    readers = Readers()
    with ThreadPoolExecutor(3) as pool:
        read = list(pool.map(readers.extract, [MANUAL] * 6))
    assert read == [extract(MANUAL)] * 6
    readers.rest()
    assert children() == []


def test_a_frozen_program_reads_by_itself(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(
        "from pathlib import Path\n"
        "from reverie.ingest import isolated\n"
        "if __name__ == '__main__':\n"
        "    isolated._launch = isolated._Spawned\n"
        "    readers = isolated.Readers()\n"
        f"    print([len(readers.extract(Path({str(MANUAL)!r})).parts) > 5 for _ in range(2)])\n"
        "    readers.rest()\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    run = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, env=environment, check=False
    )
    assert run.stdout.strip() == "[True, True]", run.stderr


def test_a_script_without_a_guard_is_not_run_twice(tmp_path: Path) -> None:
    script = tmp_path / "user.py"
    script.write_text(
        f"print('started')\nfrom pathlib import Path\nfrom reverie.ingest.isolated import extract_isolated\n"
        f"print(len(extract_isolated(Path({str(MANUAL)!r})).parts) > 5)\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    run = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, env=environment, check=True
    )
    assert run.stdout.split() == ["started", "True"]
