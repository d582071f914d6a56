"""Keeps None, True and False alive under a PySide6 that forgets to count them.

PySide6 6.12.0 returns these from C++ without counting the reference, as is right for Python 3.12 and later, where they
are immortal. On Python 3.11 every signal takes one from True, and after some hundred the process aborts
("bool_dealloc: deallocating True or False"; measured: 300 emits cost 300 references; 6.11 costs none).
"""

import ctypes
import sys

_MANY = 1 << 40  # a thousand million signals a day for three years
_done = False


def keep_singletons_alive() -> None:
    """Adds references that nothing will use up (once; Python below 3.12 only)."""
    global _done
    if _done or sys.version_info >= (3, 12) or sys.implementation.name != "cpython":
        return
    _done = True
    for single in (None, True, False, NotImplemented):
        ctypes.c_ssize_t.from_address(id(single)).value += _MANY
