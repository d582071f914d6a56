import logging

import pytest
from pytestqt.qtbot import QtBot

from reverie.errors import Cancelled, Conflict, UserError
from reverie_gui.bridge.notices import Banner, Notices


def test_an_error_in_its_own_words(qtbot: QtBot) -> None:
    notices = Notices()
    error = UserError("The file is empty", detail="report.pdf", hint="Drop another one", retryable=True)
    with qtbot.waitSignal(notices.bannered) as caught:
        notices.failure(error, retry=lambda: None)
    banner: Banner = caught.args[0]
    assert (banner.title, banner.detail, banner.hint) == (
        "The file is empty",
        "report.pdf",
        "Drop another one",
    )
    assert banner.action == "Try again"
    assert banner.details == ""


def test_what_cannot_be_tried_again_offers_nothing() -> None:
    banner = Notices().worded(UserError("The file is empty"), retry=lambda: None)
    assert banner.action == ""


def test_a_conflict_is_no_failure() -> None:
    assert Notices().worded(Conflict("It has changed since")).tone == "warn"


def test_a_bug_is_told_in_words_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.CRITICAL):
        banner = Notices().worded(ZeroDivisionError("x"))
    assert "Traceback" not in banner.title + banner.detail + banner.hint
    assert "ZeroDivisionError" in banner.details


def test_what_the_person_stopped_is_not_told(qtbot: QtBot) -> None:
    notices = Notices()
    with qtbot.assertNotEmitted(notices.bannered):
        notices.failure(Cancelled(2))
