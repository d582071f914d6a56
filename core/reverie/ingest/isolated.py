"""Extraction in a process of its own: a long, stuck or crashing file holds up nothing else.

Python code that works for long holds up the window even from a thread (4 busy threads add 55 ms at
p95), and a damaged file can bring a native reader down.
"""

import contextlib
import os
import pickle
import struct
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
from reverie.ingest.extractors import EXTRACTORS, Extracted, Limits, Unreadable, extract, kind_of

SMALL = 256 * 1024  # bytes; a text file below is read at once, in a few milliseconds
_POLL = 0.05  # seconds
_MEMORY = 4 * 1024**3  # bytes that a child may take, where the system can hold it to that
_MOST_FILES = 50  # that one child reads: what a native reader leaks goes with it
_LENGTH = struct.Struct(">Q")


def extract_isolated(path: Path, limits: Limits | None = None, cancelled: Cancel = never) -> Extracted:
    """What ``Readers.extract`` gives, for one file alone."""
    readers = Readers()
    try:
        return readers.extract(path, limits, cancelled)
    finally:
        readers.rest()


class Readers:
    """Extracts in child processes. One that has answered is kept for the next file, until ``rest``.

    Each is a fresh Python, which takes half a second to start. Thread-safe: calls at once have a child each.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: _Child | None = None

    def extract(self, path: Path, limits: Limits | None = None, cancelled: Cancel = never) -> Extracted:
        """What extract() gives, from a child process for the kinds that ask for it and for files over 256 KB.

        Raises what extract() raises; Unreadable also when the child crashes or takes over
        ``limits.seconds``; Cancelled within a second of ``cancelled()`` being true.
        """
        limits = limits or Limits()
        if cancelled():
            raise Cancelled
        kind = kind_of(path)  # also finds what can't be opened, before a process is paid for
        if not EXTRACTORS[kind].isolated and path.stat().st_size < SMALL:
            return extract(path, limits)
        child = self._take() or _launch()
        try:
            child.ask(pickle.dumps((path, limits)))
            answer = _supervised(child, limits, cancelled)
        except BaseException:
            child.kill()
            raise
        result = _unpacked(answer)
        if result is None or child.asked >= _MOST_FILES:
            child.kill()
        else:
            self._give_back(child)
        if isinstance(result, Extracted):
            return result
        raise result or _broken_down()

    def rest(self) -> None:
        """End the process that waits for a next file. The next call starts a new one."""
        if (child := self._take()) is not None:
            child.kill()

    def _take(self) -> "_Child | None":
        """The idle child, unless it has died meanwhile: that would be no fault of the next file."""
        with self._lock:
            child, self._idle = self._idle, None
        if child is not None and not child.is_alive():
            child.kill()
            return None
        return child

    def _give_back(self, child: "_Child") -> None:
        with self._lock:
            extra, self._idle = self._idle, child
        if extra is not None:
            extra.kill()


class _Child(Protocol):
    """A process that reads one file after another. ``asked``: how many by now."""

    asked: int

    def ask(self, request: bytes) -> None: ...

    def wait(self, seconds: float) -> bool:
        """Whether it answered, or ended, within that time."""

    def answer(self) -> bytes:
        """b"" where it died."""

    def is_alive(self) -> bool: ...

    def kill(self) -> None: ...


def _supervised(child: _Child, limits: Limits, cancelled: Cancel) -> bytes:
    deadline = time.monotonic() + limits.seconds
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
    return child.answer()


def _unpacked(answer: bytes) -> Extracted | UserError | None:
    """None for an answer that is cut short or empty: the child died."""
    try:
        result = pickle.loads(answer)
    except Exception:  # noqa: BLE001 - whatever is no answer
        return None
    return result if isinstance(result, (Extracted, UserError)) else None


def _broken_down() -> Unreadable:
    return Unreadable(
        _("The file could not be read"),
        detail=_("The program that reads it broke down on it"),
        hint=_("It may be damaged; try to save it again"),
        retryable=True,
    )


def _launch() -> _Child:
    return _Spawned() if getattr(sys, "frozen", False) else _Interpreter()


class _Interpreter:
    """A fresh Python. multiprocessing would run the caller's main script again, which may not be guarded:
    a user's ten-line script would open its vault twice."""

    def __init__(self) -> None:
        self.asked = 0
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self._answer = b""
        self._talk: threading.Thread | None = None

    def ask(self, request: bytes) -> None:
        self.asked += 1
        self._answer = b""
        self._talk = threading.Thread(target=self._exchange, args=(request,), daemon=True)
        self._talk.start()

    def _exchange(self, request: bytes) -> None:
        sender, receiver = self._process.stdin, self._process.stdout
        assert sender is not None
        assert receiver is not None
        # It was killed; or what came back is no answer, and begins with no length.
        with contextlib.suppress(OSError, ValueError, MemoryError, OverflowError):
            sender.write(request)
            sender.flush()
            head = receiver.read(_LENGTH.size)
            if len(head) == _LENGTH.size:
                self._answer = receiver.read(_LENGTH.unpack(head)[0])

    def wait(self, seconds: float) -> bool:
        if self._talk is None:
            return True
        self._talk.join(seconds)
        return not self._talk.is_alive()

    def answer(self) -> bytes:
        return self._answer

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()
        if self._talk is not None:
            self._talk.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._process.wait()


class _Spawned:
    """For a frozen build, where the program is its own interpreter (its main calls freeze_support)."""

    def __init__(self) -> None:
        import multiprocessing

        self.asked = 0
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, request: bytes) -> None:
        self.asked += 1
        with contextlib.suppress(OSError):  # it died: the answer tells
            self._ours.send_bytes(request)

    def wait(self, seconds: float) -> bool:
        return self._ours.poll(seconds)

    def answer(self) -> bytes:
        try:
            return self._ours.recv_bytes()
        except (EOFError, OSError):
            return b""

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self._ours.close()


# In the child


def main() -> None:
    """Reads requests from standard input and answers each on standard output, until there are no more."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what a library prints is no answer
    _bound_memory()
    with contextlib.suppress(BrokenPipeError, EOFError), output:
        while True:
            path, limits = pickle.load(sys.stdin.buffer)
            answer = _work(path, limits)
            output.write(_LENGTH.pack(len(answer)))
            output.write(answer)
            output.flush()


def _serve(connection: Any) -> None:
    _bound_memory()
    with contextlib.suppress(EOFError, OSError):
        while True:
            connection.send_bytes(_work(*pickle.loads(connection.recv_bytes())))


def _work(path: Path, limits: Limits) -> bytes:
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


__all__ = ["SMALL", "Readers", "extract_isolated"]
