"""Writes memories into a vault, so many a second, until stdin ends: FOLDER RATE."""

import sys
import threading
import time
from itertools import count

from reverie import Vault


def main(folder: str, rate: float) -> None:
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    with Vault.open(folder) as vault:
        vault.memories.add("the first one warms up")
        print("writing", flush=True)  # noqa: T201
        start = time.perf_counter()
        for n in count():
            vault.memories.add(f"Ada moved the meeting, for the {n}th time, to another harbour")
            if ended.wait(max(0.0, start + (n + 1) / rate - time.perf_counter())):
                print(n / (time.perf_counter() - start))  # noqa: T201
                return


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
