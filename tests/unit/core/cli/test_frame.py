"""The frame of the command line: exit codes, streams, errors, the way to the window, Ctrl-C."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie import __version__, cli
from reverie.cli import display, failures, output, window
from reverie.cli.interrupt import stoppable
from reverie.cli.options import instant
from reverie.domain.inbox import ItemState
from reverie.errors import Cancelled, Conflict, UserError


def fails_with(error: BaseException) -> Callable[..., int]:
    def run(*_: object) -> int:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (
            UserError("It is empty", detail="a.txt", hint="Choose another"),
            2,
            ["It is empty", "a.txt", "Choose another"],
        ),
        (UserError("The disk is full", retryable=True), 1, ["The disk is full"]),
        (Conflict("It has changed", rows=[("memories", "abc")]), 1, ["It has changed", "memories abc"]),
        (Cancelled(3), 130, ["3 items were finished"]),
        (KeyboardInterrupt(), 130, []),
    ],
)
def test_what_a_person_can_mend_has_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    words: list[str],
) -> None:
    monkeypatch.setattr(cli, "_run", fails_with(error))

    assert cli.main(["search"]) == code

    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Traceback" not in shown.err
    assert all(word in shown.err for word in words)


def test_a_bug_says_that_it_is_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "_run", fails_with(ZeroDivisionError("oh")))

    assert cli.main(["search"]) == failures.BUG

    assert "ZeroDivisionError: oh" in (shown := capsys.readouterr().err)
    assert "bug in Reverie" in shown


@pytest.mark.parametrize(
    "arguments",
    [["nonsense"], ["search"], ["search", "--limit", "0", "x"], ["search", "--mode", "magic", "x"], ["add"]],
)
def test_wrong_use_is_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    assert "search" in capsys.readouterr().out
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == __version__


@pytest.mark.parametrize("language", ["C", "POSIX", "en_US.ISO-8859-1"])
def test_output_is_utf8_under_any_language(language: str) -> None:
    code = "from reverie.cli.output import *; prepare_streams(); say('Größe 设备 \\ud83d'); warn('ä')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={
            "PYTHONPATH": os.pathsep.join(sys.path),
            "LANG": language,
            "LC_ALL": language,
            "PYTHONIOENCODING": "ascii",
        },
        capture_output=True,
        check=True,
    )

    assert done.stdout == "Größe 设备 \\ud83d\n".encode()
    assert done.stderr == "ä\n".encode()


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise on Windows")
def test_a_reader_that_leaves_is_no_error() -> None:
    code = (
        "from reverie.cli.output import *; write_table(('a',), [('x' * 1000,)] * 1000); print('not reached')"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout
    assert process.stderr
    process.stdout.read(10)
    process.stdout.close()

    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(20) == failures.BROKEN_PIPE


def test_a_table_in_a_pipe_is_lines_of_cells(capsys: pytest.CaptureFixture[str]) -> None:
    output.write_table(("A", "B"), [("one\ntwo\tthree", 4), ("\x1b[31mred", None)])

    assert capsys.readouterr().out == "one two three\t4\n�[31mred\tNone\n"


def test_a_table_on_a_terminal_shows_what_was_stored_literally(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("COLUMNS", "80")

    output.write_table(("Memory",), [("[bold]not markup[/bold] \x1b[2Jgone",)])

    assert "[bold]not markup[/bold] �[2Jgone" in screen.getvalue()


def test_json_holds_plain_values() -> None:
    zone = timezone(timedelta(hours=2))
    made = output.plain(
        {"a": (datetime(2026, 3, 1, 12, tzinfo=zone), ItemState.DONE), "b": {"y", "x"}, "c": Path("p")}
    )

    assert json.loads(json.dumps(made)) == {
        "a": ["2026-03-01T10:00:00.000000Z", "done"],
        "b": ["x", "y"],
        "c": "p",
    }


@given(st.text(max_size=300), st.integers(2, 120))
def test_one_line_is_one_line_and_short(text: str, limit: int) -> None:
    line = output.one_line(text, limit)

    assert len(line) <= limit + 1
    assert "\n" not in line
    assert line.rstrip("…").strip() in " ".join(text.split())


def test_instants_are_local_where_no_zone_is_given() -> None:
    given_day = instant("2026-03-01")
    assert given_day
    assert given_day.utcoffset() is not None
    assert given_day == datetime(2026, 3, 1).astimezone()
    assert instant("2026-03-01T10:00Z") == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert instant(None) is None
    with pytest.raises(UserError, match="no date"):
        instant("last tuesday")


def test_first_ctrl_c_asks_and_the_second_ends(capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGINT)
    with stoppable() as stopped:
        assert not stopped()
        signal.raise_signal(signal.SIGINT)
        assert stopped()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    assert signal.getsignal(signal.SIGINT) is before
    assert "Ctrl-C" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("env", "platform", "there"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_a_display_is_recognised(env: dict[str, str], platform: str, there: bool) -> None:
    assert display.has_display(env, platform) is there


@pytest.mark.parametrize(
    "arguments", [[], ["open"], ["snapshot", "pictures", "--vault", "x"], ["--vault", "x"]]
)
def test_without_the_window_its_verbs_say_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.setattr(window, "window_module", lambda: None)
    monkeypatch.setattr("reverie.cli.verbs.window_module", lambda: None)

    assert cli.main(arguments) == 2

    assert "reverie[gui]" in capsys.readouterr().err


def fake_window(opened: list[str]) -> ModuleType:
    module = ModuleType("fake_window")

    def open_verb(vault: Path) -> int:
        opened.append(str(vault))
        return 0

    module.open_verb = open_verb  # type: ignore[attr-defined]
    module.register = lambda _app: None  # type: ignore[attr-defined]
    return module


@pytest.mark.parametrize(("arguments", "suffix"), [([], "from-environment"), (["--vault", "named"], "named")])
def test_without_a_verb_the_window_opens(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], suffix: str
) -> None:
    opened: list[str] = []
    module = fake_window(opened)
    monkeypatch.setattr(window, "window_module", lambda: module)
    monkeypatch.setattr("reverie.cli.verbs.window_module", lambda: module)
    monkeypatch.setattr(window, "has_display", lambda: True)
    monkeypatch.setenv("REVERIE_VAULT", "from-environment")

    assert cli.main(arguments) == 0
    assert opened == [suffix]


def test_without_a_display_the_demo_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    ran: list[object] = []
    monkeypatch.setattr(window, "window_module", lambda: fake_window(opened))
    monkeypatch.setattr(window, "has_display", lambda: False)
    monkeypatch.setattr("reverie.cli.demo.run", lambda folder: ran.append(folder) or True)

    assert cli.main([]) == 0

    assert opened == []
    assert ran == [None]
    assert len(capsys.readouterr().out.splitlines()) == 1
