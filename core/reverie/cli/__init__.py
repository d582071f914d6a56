"""The command line. ``main`` is what the ``reverie`` program runs; each verb is one module beside it."""

import sys
from collections.abc import Sequence

from reverie.cli.failures import INTERRUPTED, exit_code_of, show
from reverie.cli.output import prepare_streams

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one verb (none: opens the window) and returns the exit code.

    0: all done. 1: some items failed, the others are done. 2: wrong use. 70: a bug. 130: stopped by Ctrl-C.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    prepare_streams()
    try:
        code = _run(given)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the border to the person
        show(error)
        return exit_code_of(error)


def _run(given: list[str]) -> int:
    if not given:  # the window opens 0.1 s sooner without the parser of verbs
        from reverie.cli.window import open_window

        return open_window(None)
    from reverie.cli.verbs import build

    try:
        build()(args=given, prog_name="reverie")
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else int(done.code is not None)
    return 0
