import pytest

from reverie.errors import UserError
from reverie_gui.preflight import check_display

LINUX = "linux"


def test_a_display_that_does_not_answer_is_told_in_words() -> None:
    with pytest.raises(UserError) as caught:
        check_display({"DISPLAY": ":77"}, platform=LINUX, loads=lambda _name: True, answers=lambda: False)
    assert ":77" in caught.value.title
    assert "reverie demo" in caught.value.hint


def test_missing_libraries_are_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _name: "/usr/bin/apt-get")
    missing = {"libxcb-icccm.so.4", "libxcb-keysyms.so.1"}
    with pytest.raises(UserError) as caught:
        check_display({"DISPLAY": ":0"}, platform=LINUX, loads=lambda name: name not in missing)
    assert caught.value.detail == "libxcb-icccm.so.4, libxcb-keysyms.so.1"
    assert caught.value.hint.endswith("sudo apt-get install libxcb-icccm4 libxcb-keysyms1")


@pytest.mark.parametrize("env", [{"QT_QPA_PLATFORM": "offscreen"}, {"WAYLAND_DISPLAY": "w"}])
def test_other_platforms_need_no_x_server(env: dict[str, str]) -> None:
    check_display(env, platform=LINUX, loads=lambda name: "xcb" not in name, answers=lambda: False)


def test_one_that_answers() -> None:
    check_display({"DISPLAY": ":0"}, platform=LINUX, loads=lambda _name: True, answers=lambda: True)
    check_display({}, platform="darwin", loads=lambda _name: False, answers=lambda: False)
