"""What embedding costs the process: nothing before its first use, and a bounded memory after."""

import subprocess
import sys
from pathlib import Path

CORE = Path(__file__).parents[4] / "core"
CEILING_MB = 500  # measured: 160

_PEAK_OF_A_LOAD = """
import random, threading, psutil
from reverie.embed.factory import load_embedder
own, peak, done = psutil.Process(), 0, threading.Event()
def watch():
    global peak
    while not done.wait(0.002):
        peak = max(peak, own.memory_info().rss)
watcher = threading.Thread(target=watch)
watcher.start()
draw = random.Random(4)
words = "the meeting was moved to monday because a late train kept half of us in leipzig".split()
load_embedder().embed([" ".join(draw.choices(words, k=draw.randint(3, 400))) for _ in range(80)])
done.set()
watcher.join()
print(peak // 1_000_000)
"""


def _run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", f"import sys; sys.path.insert(0, {str(CORE)!r})\n{code}"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=110,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


def test_the_runtime_is_imported_at_first_use() -> None:
    assert (
        _run("import reverie.embed.factory\nprint({'onnxruntime', 'tokenizers'} & set(sys.modules))")
        == "set()"
    )


def test_a_vault_is_imported_without_numpy() -> None:
    assert _run("import reverie.vault\nprint('numpy' in sys.modules)") == "False"


def test_a_load_of_texts_keeps_the_process_small() -> None:
    assert int(_run(_PEAK_OF_A_LOAD)) < CEILING_MB
