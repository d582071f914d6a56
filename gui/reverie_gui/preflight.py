"""Whether the X server answers: Qt would end the process with a message that helps nobody.

That a display is named at all, and that the libraries are there, the command line has looked at before.
"""

import ctypes
import os
import sys
from collections.abc import Callable, Mapping

from reverie.errors import UserError
from reverie.i18n import _


def check_display(env: Mapping[str, str] | None = None, answers: Callable[[], bool] | None = None) -> None:
    """Raises UserError where Qt would draw on an X server that can't be reached."""
    env = os.environ if env is None else env
    platform = env.get("QT_QPA_PLATFORM", "xcb")
    if not sys.platform.startswith("linux") or not platform.startswith("xcb") or env.get("WAYLAND_DISPLAY"):
        return
    if not (answers or _answers)():
        raise UserError(
            _("The display {name} does not answer").format(name=env.get("DISPLAY") or "?"),
            hint=_("Run “reverie demo” to see it work without one"),
        )


def _answers() -> bool:
    library = ctypes.CDLL("libxcb.so.1")
    library.xcb_connect.restype = ctypes.c_void_p
    library.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    for name in ("xcb_connection_has_error", "xcb_disconnect"):
        getattr(library, name).argtypes = [ctypes.c_void_p]
    connection = library.xcb_connect(None, None)
    broken = bool(library.xcb_connection_has_error(connection))
    library.xcb_disconnect(connection)
    return not broken
