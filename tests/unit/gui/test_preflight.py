import pytest

from reverie.errors import UserError
from reverie_gui.preflight import check_display


def test_a_display_that_does_not_answer_is_told_in_words() -> None:
    with pytest.raises(UserError) as caught:
        check_display({"DISPLAY": ":77"}, lambda: False)
    assert ":77" in caught.value.title
    assert "reverie demo" in caught.value.hint


@pytest.mark.parametrize("env", [{"QT_QPA_PLATFORM": "offscreen"}, {"WAYLAND_DISPLAY": "w"}])
def test_other_platforms_are_not_asked(env: dict[str, str]) -> None:
    check_display(env, lambda: False)


def test_one_that_answers() -> None:
    check_display({"DISPLAY": ":0"}, lambda: True)
