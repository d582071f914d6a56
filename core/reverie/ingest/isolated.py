"""Extraction in a process of its own: a long, stuck or crashing file holds up nothing else.

Python code that works for long holds up the window even from a thread (4 busy threads add 55 ms at
p95), and a damaged file can bring a native reader down.
"""

import contextlib
import os
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Protocol

from reverie.domain.progress import Cancel, never
from reverie.domain.text import clean
from reverie.errors import Cancelled, UserError
from reverie.i18n import _
from reverie.ingest.extractors import Extracted, Limits, Unreadable, extract, kind_of

SMALL = 256 * 1024  # bytes; a text file below is read at once, in a few milliseconds
_POLL = 0.05  # seconds
_MEMORY = 4 * 1024**3  # bytes that a child may take, where the system can hold it to that


def extract_isolated(path: Path, limits: Limits | None = None, cancelled: Cancel = never) -> Extracted:
    """What extract() gives, from a child process for PDFs and for files over 256 KB.

    Raises what extract() raises; Unreadable also when the child crashes or takes over
    ``limits.seconds``; Cancelled within a second of ``cancelled()`` being true.
    """
    limits = limits or Limits()
    if cancelled():
        raise Cancelled
    kind = kind_of(path)  # also finds what can't be opened, before a process is paid for
    if kind != "pdf" and path.stat().st_size < SMALL:
        return extract(path, limits)
    return _supervise(_launch(path, limits), limits, cancelled)


class _Child(Protocol):
    """A running extraction: what came of it so far, and a way to end it."""

    def wait(self, seconds: float) -> bool:
        """Whether it ended within that time."""

    def answer(self) -> bytes: ...

    def kill(self) -> None: ...


def _supervise(child: _Child, limits: Limits, cancelled: Cancel) -> Extracted:
    deadline = time.monotonic() + limits.seconds
    try:
        while not child.wait(_POLL):
            if cancelled():
                raise Cancelled
            if time.monotonic() > deadline:
                raise Unreadable(
                    _("Reading took over {seconds} seconds and was stopped").format(
                        seconds=round(limits.seconds)
                    ),
                    hint=_("The file may be damaged; try to save it again, or in smaller pieces"),
                    retryable=True,
                )
        return _result(child.answer())
    finally:
        child.kill()


def _result(answer: bytes) -> Extracted:
    try:
        result = pickle.loads(answer)
    except Exception:  # noqa: BLE001 - cut short or empty: the child died
        result = None
    if isinstance(result, UserError):
        raise result
    if not isinstance(result, Extracted):
        raise Unreadable(
            _("The file could not be read"),
            detail=_("The program that reads it broke down on it"),
            hint=_("It may be damaged; try to save it again"),
            retryable=True,
        )
    return result


def _launch(path: Path, limits: Limits) -> _Child:
    if getattr(sys, "frozen", False):
        return _Spawned(path, limits)
    return _Interpreter(path, limits)


class _Interpreter:
    """A fresh Python. multiprocessing would run the caller's main script again, which may not be guarded:
    a user's ten-line script would open its vault twice."""

    def __init__(self, path: Path, limits: Limits) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self._answer = b""
        self._reader = threading.Thread(target=self._talk, args=(pickle.dumps((path, limits)),), daemon=True)
        self._reader.start()

    def _talk(self, request: bytes) -> None:
        with contextlib.suppress(OSError, ValueError):  # it was killed
            self._answer = self._process.communicate(request)[0]

    def wait(self, seconds: float) -> bool:
        self._reader.join(seconds)
        return not self._reader.is_alive()

    def answer(self) -> bytes:
        return self._answer

    def kill(self) -> None:
        self._process.kill()
        self._reader.join()


class _Spawned:
    """For a frozen build, where the program is its own interpreter (its main calls freeze_support)."""

    def __init__(self, path: Path, limits: Limits) -> None:
        import multiprocessing

        context = multiprocessing.get_context("spawn")
        self._receiver, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=_send, args=(sender, path, limits), daemon=True)
        self._process.start()
        sender.close()

    def wait(self, seconds: float) -> bool:
        return self._receiver.poll(seconds)

    def answer(self) -> bytes:
        try:
            return self._receiver.recv_bytes()
        except EOFError:
            return b""

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self._receiver.close()


# In the child


def main() -> None:
    """Reads one request from standard input and answers on standard output."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what a library prints is no answer
    path, limits = pickle.load(sys.stdin.buffer)
    with contextlib.suppress(BrokenPipeError), output:
        output.write(_work(path, limits))


def _send(sender: Any, path: Path, limits: Limits) -> None:
    sender.send_bytes(_work(path, limits))


def _work(path: Path, limits: Limits) -> bytes:
    _bound_memory()
    try:
        return pickle.dumps(extract(path, limits))
    except UserError as error:
        error.__cause__ = error.__context__ = None
        return pickle.dumps(error)
    except MemoryError:
        return pickle.dumps(Unreadable(_("The file needs more memory than there is to read it")))
    except Exception as error:  # noqa: BLE001 - any fault of a reader is that file's fault, not the program's
        detail = clean(f"{type(error).__name__}: {error}")[:300]
        return pickle.dumps(Unreadable(_("The file could not be read"), detail=detail, retryable=True))


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    with contextlib.suppress(ValueError, OSError):
        _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        bound = _MEMORY if hard == resource.RLIM_INFINITY else min(_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (bound, hard))


__all__ = ["SMALL", "extract_isolated"]
